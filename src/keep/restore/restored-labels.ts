import { LabelLookup } from '../../mailbox/labels/label-lookup';
import type { LabelChoice } from './restore.entity';

/** Labels that a restored mail gets. */
export interface RestoredLabels {
  /** Ids of system labels, which every mailbox has, e.g. `INBOX`, `UNREAD`. */
  readonly system: readonly string[];
  /** Names of the user's own labels. */
  readonly names: readonly string[];
  /** Whether the mail had a label whose name is not known any more. */
  readonly isIncomplete: boolean;
}

/**
 * Labels that are never restored: a mail in the trash is restored out of it, people make drafts, and another service makes
 * chats.
 */
const NEVER = new Set(['TRASH', 'DRAFT', 'CHAT']);

export interface LabelledMail {
  readonly labelIds: readonly string[];
  /** Whether the mail was imported: its labels are names, not ids. */
  readonly isImported: boolean;
}

/**
 * Labels for a mail of the archive.
 * @param names of the source mailbox's labels, by id, as they were last known
 */
export function restoredLabelsOf(
  { labelIds, isImported }: LabelledMail,
  names: ReadonlyMap<string, string>,
  { labels, addLabel }: { readonly labels: LabelChoice; readonly addLabel: string | null },
): RestoredLabels {
  const system = new Set<string>();
  const own = new Set<string>();
  let isIncomplete = false;
  for (const labelId of labels === 'original' ? labelIds : []) {
    const known = LabelLookup.SYSTEM.findById(labelId);
    const name = names.get(labelId) ?? (isImported ? labelId : undefined);
    if (known) {
      if (!NEVER.has(known.id)) system.add(known.id);
    } else if (name?.trim()) own.add(name.trim());
    else isIncomplete = true;
  }
  if (addLabel) own.add(addLabel);
  return { system: [...system], names: [...own], isIncomplete };
}
