import { foldText } from './fold-text';

/** The part of long headers that is searched. */
const MAX_SUBJECT = 1_000;
const MAX_SENDER = 500;

/** The searchable text of an attachment: its name, and the subject and sender of its mail, folded, one per line. */
export function attachmentSearchText(
  filename: string,
  mail: { readonly subject: string; readonly sender: string },
): string {
  const lines = [filename, mail.subject.slice(0, MAX_SUBJECT), mail.sender.slice(0, MAX_SENDER)];
  return lines.map((line) => foldText(line).replace(/\s+/g, ' ')).join('\n');
}

/** The folded words of a search: each has to be part of the name, the subject or the sender. */
export function attachmentSearchWords(query: string): string[] {
  const words = foldText(query).split(/[\s\0]+/);
  return [...new Set(words.filter((word) => word !== ''))];
}
