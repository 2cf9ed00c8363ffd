import { LabelNotFound, ProviderRejected } from '../../port/mail-provider.errors';
import type { LabelChange } from '../../port/mailbox-provider.port';
import type { FolderRole, ImapFolderEntity } from '../store/imap-index.entity';
import type { Place } from '../store/imap-places.repository';

export type FolderView = Pick<ImapFolderEntity, 'id' | 'role' | 'labelId'>;

/** Labels that are flags: the flag, and whether it means the absence of the label. */
const FLAG_LABELS: Readonly<Record<string, { readonly flag: string; readonly isInverse: boolean }>> = {
  UNREAD: { flag: '\\Seen', isInverse: true },
  STARRED: { flag: '\\Flagged', isInverse: false },
  IMPORTANT: { flag: '$Important', isInverse: false },
};
/** Roles of folders that messages can be put into, by label. */
const ROLE_LABELS: Readonly<Record<string, FolderRole>> = { INBOX: 'inbox', SPAM: 'junk', TRASH: 'trash' };
const FIXED = new Set(['SENT', 'DRAFT']);

/** The change needs a folder of a role that the mailbox lacks. */
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

/** A place of a message, and the folder that it is copied or moved to. */
export interface PlannedStep {
  readonly from: Place;
  readonly to: string;
}

/**
 * The changes to the places of a message. A place that leaves its folder moves to another one, unless it is known to be
 * a copy.
 */
export interface PlannedChange {
  readonly messageId: string;
  readonly flags: readonly { readonly sign: '+' | '-'; readonly flag: string }[];
  /** Copies, which are made before the moves. */
  readonly copies: readonly PlannedStep[];
  readonly moves: readonly PlannedStep[];
  /** Places that may be expunged while the server shows another of their group, which stays. */
  readonly removals: readonly Place[];
}

/**
 * Plans a change of labels for one message, where labels are folders and flags. Spam and trash exclude all other
 * folders, and every place moves there. A place that leaves its folder while the message also lies elsewhere moves to
 * the archive folder, which has no label: that another folder shows the message does not prove that it holds a second
 * copy. Only among places that we have copied from one another, and that the server has named, one may be removed while
 * another stays.
 * @param places all places of the message
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
  const wanted = computeFolders(places, current, { add, remove }, folders);
  const missing = [...wanted].filter((id) => !current.has(id));
  const leaving = places.filter(({ folderId }) => !wanted.has(folderId));
  const archive = idOf(folders, 'archive');
  // Copies in the archive folder are used before new ones are made.
  const spare = places.filter(({ folderId }) => folderId === archive && wanted.has(folderId)).slice(1);
  const { moves, rest, unfilled } = assign(missing, leaving, spare);
  const excluding = [idOf(folders, 'trash'), idOf(folders, 'junk')].find(
    (id) => id !== undefined && wanted.has(id) && wanted.size === 1,
  );
  const aside = excluding ?? archive;
  const isMoved = new Set(moves.map(({ from }) => from));
  const staying = places.filter((place) => wanted.has(place.folderId) && !isMoved.has(place));
  const removals = excluding === undefined ? rest.filter((place) => hasCopyIn(staying, place)) : [];
  const leftover = rest.filter((place) => !removals.includes(place) && place.folderId !== aside);
  if (leftover.length > 0 && aside === undefined) throw new FolderWanted('archive');
  const source = places.find((place) => wanted.has(place.folderId)) ?? places[0]!;
  return {
    messageId: source.messageId,
    flags: planFlags({ add, remove }),
    copies: unfilled.map((to) => ({ from: source, to })),
    moves: [...moves, ...leftover.map((from) => ({ from, to: aside as string }))],
    removals,
  };
}

/** Whether one of `others` was copied from this place, or from the same one, and was named by the server. */
export const hasCopyIn = (others: readonly Place[], { copyGroup, messageId }: Place): boolean =>
  copyGroup !== null &&
  others.some((other) => other.copyGroup === copyGroup && other.messageId === messageId);

/** Fills the missing folders with places that leave theirs. First, each place returns to the folder from which it came. */
function assign(
  missing: readonly string[],
  leaving: readonly Place[],
  spare: readonly Place[],
): { readonly moves: PlannedStep[]; readonly rest: Place[]; readonly unfilled: string[] } {
  const rest = [...leaving];
  const kept = [...spare];
  const take = (list: Place[], to: string, isFit: (place: Place) => boolean): PlannedStep | undefined => {
    const index = list.findIndex(isFit);
    return index < 0 ? undefined : { from: list.splice(index, 1)[0] as Place, to };
  };
  const steps = new Map<string, PlannedStep>();
  for (const fill of [
    (to: string) => take(rest, to, ({ trashedFrom }) => trashedFrom?.includes(to) ?? false),
    (to: string) => take(rest, to, () => true),
    (to: string) => take(kept, to, () => true),
  ]) {
    for (const to of missing) {
      const step = steps.has(to) ? undefined : fill(to);
      if (step) steps.set(to, step);
    }
  }
  return { moves: [...steps.values()], rest, unfilled: missing.filter((to) => !steps.has(to)) };
}

const idOf = (folders: readonly FolderView[], role: FolderRole): string | undefined =>
  folders.find((folder) => folder.role === role)?.id;

function planFlags({ add, remove }: LabelChange): PlannedChange['flags'] {
  const of = (labels: readonly string[], isAdded: boolean): PlannedChange['flags'] =>
    labels.flatMap((label) => {
      const found = FLAG_LABELS[label];
      return found
        ? [{ sign: found.isInverse === isAdded ? ('-' as const) : ('+' as const), flag: found.flag }]
        : [];
    });
  // Another program may have marked the message as deleted, which counts as trash.
  const undeleted = remove.includes('TRASH') ? [{ sign: '-' as const, flag: '\\Deleted' }] : [];
  return [...of(add, true), ...of(remove, false), ...undeleted];
}

function computeFolders(
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
  if (isRestored) for (const id of findFormerFolders(places, folders)) after.add(id);
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
  return applyExclusions(after, current, add, folders);
}

/** Applies the exclusions among folders, and puts a message without a folder into the archive folder. */
function applyExclusions(
  after: Set<string>,
  current: ReadonlySet<string>,
  add: readonly string[],
  folders: readonly FolderView[],
): Set<string> {
  const byRole = (role: FolderRole): string | undefined => idOf(folders, role);
  for (const [label, role] of [
    ['TRASH', 'trash'],
    ['SPAM', 'junk'],
  ] as const) {
    const id = byRole(role);
    if (id !== undefined && add.includes(label)) return new Set([id]);
  }
  const [archive, trash, junk] = [byRole('archive'), byRole('trash'), byRole('junk')];
  // A message that gets another folder leaves trash and spam, and one that returns to INBOX leaves the archive folder.
  const others = [...after].filter((id) => id !== trash && id !== junk);
  if (add.some((label) => !FLAG_LABELS[label]) && others.length > 0) {
    for (const id of [trash, junk]) if (id !== undefined) after.delete(id);
    const inbox = byRole('inbox');
    const isArchived = archive !== undefined && current.has(archive);
    const comesBack = add.includes('INBOX') && inbox !== undefined && !current.has(inbox);
    if (isArchived && comesBack) after.delete(archive);
  }
  if (after.size > 0) return after;
  if (archive === undefined) throw new FolderWanted('archive');
  return new Set([archive]);
}

/** Finds the folders from which a message was moved to the trash, except INBOX, which only an added label restores. */
function findFormerFolders(places: readonly Place[], folders: readonly FolderView[]): string[] {
  const former = places.flatMap(({ trashedFrom }) => trashedFrom ?? []);
  return former.filter((id) =>
    folders.some((folder) => folder.id === id && !['inbox', 'trash', 'ignored'].includes(folder.role)),
  );
}

function refuseFixed(label: string, isChange: boolean): void {
  if (!isChange) return;
  throw new ProviderRejected(
    'invalidArgument',
    `What is in ${label === 'SENT' ? 'Sent' : 'Drafts'} is decided by its folder: this label cannot be changed.`,
  );
}

/** Groups places by folder, and by the UIDVALIDITY under which their UIDs were read. */
export function groupPlaces(places: readonly Place[]): PlaceGroup[] {
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

/**
 * Finds the messages of which every known place was expunged. Places of the others may have been moved by another
 * program.
 */
export const findExpunged = (known: readonly Place[], expunged: ReadonlySet<Place>): string[] => {
  const left = new Set(known.filter((place) => !expunged.has(place)).map(({ messageId }) => messageId));
  return [...new Set(known.map(({ messageId }) => messageId))].filter((id) => !left.has(id));
};
