/** Why an item of an upload is no mail to import. */
export type LeftOutReason =
  /** A message that was deleted in the mail program whose folder it is. */
  | 'deleted'
  /** An entry in which a program keeps data of the folder. */
  | 'folderData'
  /** A file that is no mail. */
  | 'notMail'
  /** A file in which a mail program or an operating system keeps its data. */
  | 'programData'
  /** A file without content. */
  | 'emptyFile'
  /** A link or a device. */
  | 'linkOrDevice'
  /** Items of Outlook that are no mail, by their class. */
  | 'contact'
  | 'calendar'
  | 'task'
  | 'note'
  | 'journal'
  | 'otherItem';

/** Names of items that were left out, by reason. Of many, the first are kept. */
export type LeftOutNames = Readonly<Partial<Record<LeftOutReason, readonly string[]>>>;

/** Most names kept of a reason, and most characters of a name: they are stored with every batch. */
const MAX_NAMES = 25;
const MAX_NAME = 200;

/** Adds the names of further items to those that are kept. */
export function addNames(kept: LeftOutNames, further: LeftOutNames): LeftOutNames {
  const names: Partial<Record<LeftOutReason, readonly string[]>> = { ...kept };
  for (const [reason, found] of Object.entries(further) as [LeftOutReason, readonly string[]][]) {
    const before = names[reason] ?? [];
    if (before.length >= MAX_NAMES) continue;
    const more = found.slice(0, MAX_NAMES - before.length).map((name) => name.slice(0, MAX_NAME));
    names[reason] = [...before, ...more];
  }
  return names;
}

/** States of a message that the archive has no place for; they are counted. */
export type StateNotKept = 'answered' | 'forwarded';
