import type { SearchFacts } from '../../../src/platform/search/search-compiler';
import { allValues, decodeWords, firstValue, parseHeaderBlock, type HeaderField } from './header-fields';
import { parseMime, walkParts, type MimePart } from './mime-tree';
import { isAttachment } from './part-content';

export type { SearchFacts as MessageFacts };

export function factsOf(raw: Buffer, root: MimePart = parseMime(raw)): SearchFacts {
  const { fields } = root;
  const attachments = [...walkParts(root)].filter(isAttachment);
  return {
    from: allValues(fields, 'from'),
    to: allValues(fields, 'to'),
    cc: allValues(fields, 'cc'),
    bcc: allValues(fields, 'bcc'),
    subject: firstValue(fields, 'subject'),
    replyTo: allValues(fields, 'reply-to'),
    deliveredTo: allValues(fields, 'delivered-to'),
    list: firstValue(fields, 'list-id'),
    messageId: messageIds(firstValue(fields, 'message-id'))[0] ?? '',
    attachmentNames: attachments.map((part) => part.filename),
    hasAttachment: attachments.some((part) => !isInlineImage(part)),
  };
}

function isInlineImage(part: MimePart): boolean {
  return part.mimeType.startsWith('image/') && part.contentId !== '' && part.disposition !== 'attachment';
}

/** The ids a message answers to, nearest first. */
export function referencesOf(fields: readonly HeaderField[]): string[] {
  const references = messageIds(firstValue(fields, 'references')).reverse();
  return [...new Set([...messageIds(firstValue(fields, 'in-reply-to')).slice(0, 1), ...references])];
}

/** The Date header as epoch milliseconds, or undefined when it is missing or unreadable. */
export function headerDateOf(raw: Buffer): number | undefined {
  const { fields } = parseHeaderBlock(raw, 0, raw.length);
  const text = decodeWords(firstValue(fields, 'date')).replace(/\([^)]*\)/g, '');
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function messageIds(value: string): string[] {
  return [...value.matchAll(/<([^<>\s]+)>/g)].map((match) => match[1] as string);
}

/** A subject without its reply and forward prefixes, for threading. */
export function baseSubject(subject: string): string {
  return subject
    .replace(/^(\s*(re|fwd?|tr|aw|wg|rv)\s*(\[\d+\])?\s*:)+/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
