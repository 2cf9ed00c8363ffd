/** Facts that a server answers about a message besides its bytes. */
export interface ImapMarks {
  readonly flags: ReadonlySet<string>;
  /** Gmail's; null from every other server. */
  readonly labels: ReadonlySet<string> | null;
}

/** The folder a message lies in. */
export interface ImapFolderName {
  /** Levels parted by `/`. */
  readonly name: string;
  /** As the server itself declares it (RFC 6154), e.g. `\Sent`. */
  readonly specialUse: string | null;
}

/** System labels as the archive knows them, by what IMAP calls them. */
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
 * Labels for a message: those the server has for it (Gmail), the folder it lies in, and what its flags say: unread,
 * starred, draft. Each once, in this order.
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
