/** Flags and labels of a message. */
export interface ImapMarks {
  readonly flags: ReadonlySet<string>;
  /** Labels that Gmail has for the message; null from every other server. */
  readonly labels: ReadonlySet<string> | null;
}

/** The folder a message lies in. */
export interface ImapFolderName {
  /** Name with `/` between levels. */
  readonly name: string;
  /** Special use that the server declares (RFC 6154), e.g. `\Sent`; null: none. */
  readonly specialUse: string | null;
}

/** Ids of system labels in the archive, by their names in IMAP. */
const SYSTEM: Readonly<Record<string, string>> = {
  '\\inbox': 'INBOX',
  '\\sent': 'SENT',
  '\\draft': 'DRAFT',
  '\\drafts': 'DRAFT',
  '\\trash': 'TRASH',
  '\\junk': 'SPAM',
  '\\spam': 'SPAM',
  '\\starred': 'STARRED',
  '\\flagged': 'STARRED',
  '\\important': 'IMPORTANT',
};
/** Folders that hold all mail; they are no label. */
const NOWHERE = new Set(['\\all', '\\archive']);

/**
 * Labels for a message, each once, in this order: the labels of the server (Gmail), the folder, and the labels that its flags
 * stand for: unread, starred, draft.
 */
export function imapLabels({ flags, labels }: ImapMarks, folder: ImapFolderName): string[] {
  const found = new Set<string>();
  for (const label of labels ?? []) found.add(SYSTEM[label.toLowerCase()] ?? label.replace(/^\\/, ''));
  const place = folderLabel(folder);
  if (place !== null) found.add(place);
  const flagged = new Set([...flags].map((flag) => flag.toLowerCase()));
  if (!flagged.has('\\seen')) found.add('UNREAD');
  if (flagged.has('\\flagged')) found.add('STARRED');
  if (flagged.has('\\draft')) found.add('DRAFT');
  return [...found];
}

function folderLabel({ name, specialUse }: ImapFolderName): string | null {
  if (name.toUpperCase() === 'INBOX') return 'INBOX';
  const use = specialUse?.toLowerCase() ?? '';
  return NOWHERE.has(use) ? null : (SYSTEM[use] ?? name);
}
