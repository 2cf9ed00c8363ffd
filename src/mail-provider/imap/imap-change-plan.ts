import { LabelNotFound, ProviderRejected } from '../mail-provider.errors';
import type { LabelChange } from '../mailbox-provider.port';
import type { FolderRole, ImapFolderEntity } from './imap-index.entity';
import type { Place } from './imap-places.repository';

export type FolderView = Pick<ImapFolderEntity, 'id' | 'role' | 'labelId'>;

/** Labels that are flags, and whether the flag stands for the label or for its absence. */
const FLAG_LABELS: Readonly<Record<string, { readonly flag: string; readonly isInverse: boolean }>> = {
  UNREAD: { flag: '\\Seen', isInverse: true },
  STARRED: { flag: '\\Flagged', isInverse: false },
  IMPORTANT: { flag: '$Important', isInverse: false },
};
/** Roles of folders that messages can be put into, by label. */
const ROLE_LABELS: Readonly<Record<string, FolderRole>> = { INBOX: 'inbox', SPAM: 'junk', TRASH: 'trash' };
const FIXED = new Set(['SENT', 'DRAFT']);

/** A folder that the change needs and the mailbox lacks. */
export class FolderWanted extends Error {
  constructor(readonly role: FolderRole) {
    super(`The mailbox has no folder for ${role}`);
  }
}

/** Places in one folder, all with UIDs of one UIDVALIDITY. */
export interface PlaceGroup {
  readonly folderId: string;
  readonly uidValidity: number;
  readonly places: Place[];
}

/** What has to happen to the places of a message. */
export interface PlannedChange {
  readonly messageId: string;
  readonly flags: readonly { readonly sign: '+' | '-'; readonly flag: string }[];
  /** To the folder of this id. */
  readonly copies: readonly { readonly from: Place; readonly to: string }[];
  readonly moves: readonly { readonly from: Place; readonly to: string }[];
  /** Once another copy is seen in a folder where the message is to be. */
  readonly removals: readonly Place[];
  /** Folders it is taken from, when it goes to the trash. */
  readonly trashedFrom: readonly string[];
}

/**
 * What a change of labels means for one message: labels are folders and flags. A message always lies somewhere, so its
 * last copy goes to the archive folder rather than away; spam and trash exclude all other folders.
 * @param places all of the message
 * @throws FolderWanted; LabelNotFound; ProviderRejected for labels that cannot be changed
 */
export function planChange(
  places: readonly Place[],
  change: LabelChange,
  folders: readonly FolderView[],
): PlannedChange {
  const add = [...new Set(change.add)];
  const remove = [...new Set(change.remove)].filter((label) => !add.includes(label));
  const current = new Set(places.map(({ folderId }) => folderId));
  const wanted = foldersAfter(places, current, { add, remove }, folders);
  const missing = [...wanted].filter((id) => !current.has(id));
  const surplus = places.filter(({ folderId }) => !wanted.has(folderId));
  const trash = folders.find(({ role }) => role === 'trash')?.id;
  const moves = missing.slice(0, surplus.length).map((to, index) => ({ from: surplus[index] as Place, to }));
  const first = places[0] as Place;
  return {
    messageId: first.messageId,
    flags: flagChanges({ add, remove }),
    copies: missing.slice(surplus.length).map((to) => ({ from: first, to })),
    moves,
    removals: surplus.slice(moves.length),
    trashedFrom: trash !== undefined && wanted.has(trash) && !current.has(trash) ? [...current] : [],
  };
}

function flagChanges({ add, remove }: LabelChange): PlannedChange['flags'] {
  const of = (labels: readonly string[], isAdded: boolean): PlannedChange['flags'] =>
    labels.flatMap((label) => {
      const found = FLAG_LABELS[label];
      return found
        ? [{ sign: found.isInverse === isAdded ? ('-' as const) : ('+' as const), flag: found.flag }]
        : [];
    });
  // Another program may have marked it deleted, which counts as trash.
  const undeleted = remove.includes('TRASH') ? [{ sign: '-' as const, flag: '\\Deleted' }] : [];
  return [...of(add, true), ...of(remove, false), ...undeleted];
}

function foldersAfter(
  places: readonly Place[],
  current: ReadonlySet<string>,
  { add, remove }: LabelChange,
  folders: readonly FolderView[],
): Set<string> {
  const after = new Set(current);
  for (const label of remove) {
    if (FLAG_LABELS[label]) continue;
    const folder = folders.find(({ labelId }) => labelId === label);
    if (FIXED.has(label)) refuseFixed(label, folder !== undefined && current.has(folder.id));
    if (!folder && !ROLE_LABELS[label] && !FIXED.has(label)) throw new LabelNotFound();
    if (folder) after.delete(folder.id);
  }
  const isRestored = remove.includes('TRASH') && after.size === 0;
  if (isRestored) for (const id of formerFolders(places, folders)) after.add(id);
  for (const label of add) {
    if (FLAG_LABELS[label]) continue;
    const folder = folders.find(({ labelId }) => labelId === label);
    if (FIXED.has(label)) {
      refuseFixed(label, folder === undefined || !current.has(folder.id));
      continue;
    }
    if (!folder) throw ROLE_LABELS[label] ? new FolderWanted(ROLE_LABELS[label]) : new LabelNotFound();
    after.add(folder.id);
  }
  return settled(after, add, folders);
}

/** Where a message goes that is in no folder, and what excludes what. */
function settled(after: Set<string>, add: readonly string[], folders: readonly FolderView[]): Set<string> {
  const byRole = (role: FolderRole): string | undefined => folders.find((folder) => folder.role === role)?.id;
  for (const [label, role] of [
    ['TRASH', 'trash'],
    ['SPAM', 'junk'],
  ] as const) {
    const id = byRole(role);
    if (id !== undefined && add.includes(label)) return new Set([id]);
  }
  const [archive, trash, junk] = [byRole('archive'), byRole('trash'), byRole('junk')];
  // What gets another place comes out of trash and spam, and what comes back to INBOX out of the archive folder.
  const others = [...after].filter((id) => id !== trash && id !== junk);
  if (add.some((label) => !FLAG_LABELS[label]) && others.length > 0) {
    for (const id of [trash, junk]) if (id !== undefined) after.delete(id);
    if (archive !== undefined && add.includes('INBOX')) after.delete(archive);
  }
  if (after.size > 0) return after;
  if (archive === undefined) throw new FolderWanted('archive');
  return new Set([archive]);
}

/** The folders that a message in the trash was taken from, but INBOX: that is a label of its own to be given back. */
function formerFolders(places: readonly Place[], folders: readonly FolderView[]): string[] {
  const former = places.flatMap(({ trashedFrom }) => trashedFrom ?? []);
  return former.filter((id) =>
    folders.some((folder) => folder.id === id && !['inbox', 'trash'].includes(folder.role)),
  );
}

function refuseFixed(label: string, isChange: boolean): void {
  if (!isChange) return;
  throw new ProviderRejected(
    'invalidArgument',
    `What is in ${label === 'SENT' ? 'Sent' : 'Drafts'} is decided by its folder: this label cannot be changed.`,
  );
}

/** Places by their folders, and by the UIDVALIDITY their UIDs were read under. */
export function groupedPlaces(places: readonly Place[]): PlaceGroup[] {
  const groups = new Map<string, PlaceGroup>();
  for (const place of places) {
    const { folderId, uidValidity } = place;
    const key = `${folderId}:${uidValidity}`;
    const group = groups.get(key);
    if (group) group.places.push(place);
    else groups.set(key, { folderId, uidValidity, places: [place] });
  }
  return [...groups.values()];
}
