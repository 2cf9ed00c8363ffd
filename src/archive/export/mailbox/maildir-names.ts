import { LabelLookup } from '../../../mailbox/labels/label-lookup';

/** Labels of a mail: ids of system labels, names of the user's own labels. */
export interface NamedLabels {
  readonly system: readonly string[];
  readonly names: readonly string[];
}

const FOLDERS: readonly (readonly [label: string, folder: string])[] = [
  ['INBOX', ''],
  ['SENT', 'Sent'],
  ['DRAFT', 'Drafts'],
  ['SPAM', 'Junk'],
  ['TRASH', 'Trash'],
];

/**
 * Labels under the names that people know.
 * @param names of the mailbox's labels by id; a label whose name is not known keeps its id
 */
export function namedLabels(labelIds: readonly string[], names: ReadonlyMap<string, string>): NamedLabels {
  const system = labelIds.filter((id) => LabelLookup.SYSTEM.findById(id) !== undefined);
  const own = labelIds.filter((id) => !system.includes(id)).map((id) => names.get(id) ?? id);
  return { system, names: own };
}

/**
 * The folder of a mail in a Maildir++: below the root with a dot before each level; the root itself is the inbox.
 * https://www.courier-mta.org/maildir.html
 */
export function maildirFolder({ system, names }: NamedLabels): string {
  for (const [label, folder] of FOLDERS)
    if (system.includes(label)) return folder === '' ? 'Maildir' : `Maildir/.${folder}`;
  const levels = (names[0] ?? '')
    .split('/')
    .map((level) => safeLevel(level.trim()))
    .filter((level) => level !== '');
  return `Maildir/.${(levels.length > 0 ? levels : ['Archive']).join('.')}`;
}

/** The name of a mail's file: its time, its id, and its flags in the order of the alphabet. */
export function maildirName(
  mail: { readonly id: string; readonly date: Date },
  { system }: NamedLabels,
): string {
  const flags = [
    system.includes('DRAFT') ? 'D' : '',
    system.includes('STARRED') ? 'F' : '',
    system.includes('UNREAD') ? '' : 'S',
    system.includes('TRASH') ? 'T' : '',
  ].join('');
  return `${Math.floor(mail.date.getTime() / 1_000)}.${mail.id}.mailroom:2,${flags}`;
}

/** A level of a folder name without dots, which would begin another level, and without characters that file systems refuse. */
const safeLevel = (level: string): string => level.replace(/[.\p{Cc}\\:]/gu, '_').slice(0, 100);
