import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { LabelNotFound, ProviderRejected } from '../../port/mail-provider.errors';
import type { LabelChange } from '../../port/mailbox-provider.port';
import { gmailLabelName, hiddenFolder } from '../messages/gmail-label-names';
import { groupPlaces, findExpunged } from './imap-change-plan';
import { buildRefusal } from '../session/imap-failures';
import { ImapFolderChecks } from '../imap-folder-checks';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { FolderRole, ImapFolderEntity } from '../store/imap-index.entity';
import { type Place, ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing, type ImapSession } from '../session/imap-session';
import { ImapSync } from '../sync/imap-sync';
import type { SyncedMailbox } from '../sync/synced-mailbox';

/** Labels that are separate folders. A message lies in one of these, or else in All Mail. */
const FOLDER_LABELS: Readonly<Record<string, FolderRole>> = { TRASH: 'trash', SPAM: 'junk' };
/** Labels that are flags: the flag, and whether it means the absence of the label. */
const FLAG_LABELS: Readonly<Record<string, { readonly flag: string; readonly isInverse: boolean }>> = {
  UNREAD: { flag: '\\Seen', isInverse: true },
  STARRED: { flag: '\\Flagged', isInverse: false },
};
/** Labels that Gmail derives from the message itself. */
const FIXED_LABELS = ['SENT', 'DRAFT'];
/**
 * Changes messages at Gmail by IMAP. A message lies in exactly one of All Mail, spam and trash; all other labels are
 * attributes that STORE adds and removes. All changes may be repeated.
 */
@Injectable()
export class GmailLabelWrites {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly sync: ImapSync,
    private readonly transactions: Transactions,
    private readonly checks: ImapFolderChecks,
  ) {}

  /** @throws LabelNotFound, ProviderRejected for labels that cannot be changed */
  async change(
    mailbox: SyncedMailbox,
    session: ImapSession,
    ids: readonly string[],
    { add, remove }: LabelChange,
  ): Promise<void> {
    const { id } = mailbox.account;
    const removed = remove.filter((label) => !add.includes(label));
    const folders = await this.folders.list(id);
    const namesOf = (labels: readonly string[]): Map<string, string> => findLabelNames(labels, folders);
    const [given, taken] = [namesOf(add), namesOf(removed)];
    const before = await this.places.findOfMessages(id, ids);
    for (const label of FIXED_LABELS) requireUnchanged(label, before, { add, remove: removed });
    const target = targetOf(add, removed);
    if (target) await this.moveAll(mailbox, session, before, target, folders);
    await this.storeFlags(session, id, ids, { add, remove: removed });
    // A message that is moved to the trash or to spam leaves the inbox and keeps its other labels.
    if (target === 'trash' || target === 'junk') taken.set('INBOX', '\\Inbox');
    for (const label of given.keys()) taken.delete(label);
    for (const [label, name] of given) await this.storeLabel(session, id, ids, '+', label, name);
    for (const [label, name] of taken) await this.storeLabel(session, id, ids, '-', label, name);
    await this.sync.appendHistory(id);
  }

  /**
   * Deletes messages for good from the trash or spam, after moving the others to the trash: elsewhere, the effect of
   * EXPUNGE is a setting of the mailbox (Gmail API, `ImapSettings.expungeBehavior`).
   * @param expunge deletes places of one folder, and returns the deleted ones
   */
  async delete(
    mailbox: SyncedMailbox,
    session: ImapSession,
    ids: readonly string[],
    expunge: (folder: ImapFolderEntity | undefined, places: readonly Place[]) => Promise<readonly Place[]>,
  ): Promise<void> {
    const { id } = mailbox.account;
    const folders = await this.folders.list(id);
    const deletable = folders.filter(({ role }) => role === 'trash' || role === 'junk');
    const elsewhere = (await this.places.findOfMessages(id, ids)).filter(({ folderId }) =>
      deletable.every((folder) => folder.id !== folderId),
    );
    if (elsewhere.length > 0) await this.moveAll(mailbox, session, elsewhere, 'trash', folders);
    const now = await this.folders.list(id);
    const all = await this.places.findOfMessages(id, ids);
    const expunged = new Set<Place>();
    for (const { folderId, places } of groupPlaces(all)) {
      const folder = now.find((known) => known.id === folderId);
      if (folder && deletable.some((known) => known.id === folderId))
        for (const place of await expunge(folder, places)) expunged.add(place);
    }
    await this.sync.appendHistory(id, findExpunged(all, expunged));
  }

  /** Finds the folder in which a message with these labels lies. @throws ProviderRejected when Gmail does not show it */
  async folderOf(accountId: string, labels: readonly string[]): Promise<ImapFolderEntity> {
    return requireFolder(targetOf(labels, []) ?? 'archive', await this.folders.list(accountId));
  }

  private async moveAll(
    mailbox: SyncedMailbox,
    session: ImapSession,
    places: readonly Place[],
    target: FolderRole,
    folders: readonly ImapFolderEntity[],
  ): Promise<void> {
    const to = requireFolder(target, folders);
    const moved = groupPlaces(places.filter(({ folderId }) => folderId !== to.id));
    if (moved.length === 0) return;
    if (!session.has('MOVE')) throw buildRefusal('unsupported', 'Gmail does not offer to move messages.');
    for (const group of moved) {
      const { folderId, uidValidity, places: sources } = group;
      const from = folders.find(({ id }) => id === folderId);
      if (!from) continue;
      await this.checks.enter(session, from, group);
      const uids = sources.map(({ uid }) => uid);
      const named = await session.move(uids, to.path).catch((error: unknown) => {
        throw error instanceof FolderMissing ? hiddenFolder(target) : error;
      });
      if (named?.uidValidity !== to.uidValidity) continue;
      const copies = named.pairs.map(([, copy]) => copy);
      if (await this.checks.goesBack(to, copies)) continue;
      // Messages that the server names have moved, even if a listing of a folder that other programs change meanwhile
      // does not show them.
      await this.transactions.runRepeatable(async (transaction) => {
        const held = { ...from, uidValidity };
        if (!(await this.folders.holdAll([held, to], transaction))) return;
        await this.places.addCopies(from, to.id, { pairs: named.pairs }, transaction);
        await this.places.remove(
          from,
          named.pairs.map(([source]) => source),
          transaction,
        );
      });
    }
    // Gmail decides which labels the messages keep after the move.
    await this.sync.runFor(mailbox, session, new Set([to.id, ...moved.map(({ folderId }) => folderId)]));
  }

  private async storeFlags(
    session: ImapSession,
    accountId: string,
    ids: readonly string[],
    { add, remove }: LabelChange,
  ): Promise<void> {
    for (const [label, { flag, isInverse }] of Object.entries(FLAG_LABELS)) {
      if (!add.includes(label) && !remove.includes(label)) continue;
      const isSet = add.includes(label) !== isInverse;
      await this.store(session, accountId, ids, (place) => place.flags.includes(flag) !== isSet, {
        store: async (uids) => {
          await session.store(uids, isSet ? '+' : '-', [flag]);
        },
        record: async (folder, places) => {
          const after = places.map(({ uid, flags }) => [uid, toggleValue(flags, flag, isSet)] as const);
          await this.transactions.runRepeatable(async (transaction) => {
            if (await this.folders.hold(folder, transaction))
              await this.places.setFlags(folder, new Map(after), transaction);
          });
        },
      });
    }
  }

  private async storeLabel(
    session: ImapSession,
    accountId: string,
    ids: readonly string[],
    sign: '+' | '-',
    label: string,
    name: string,
  ): Promise<void> {
    const isSet = sign === '+';
    await this.store(session, accountId, ids, ({ labels }) => labels.includes(label) !== isSet, {
      store: (uids) => session.storeLabels(uids, sign, [name]),
      record: async (folder, places) => {
        const after = places.map(({ uid, labels }) => [uid, toggleValue(labels, label, isSet)] as const);
        await this.transactions.runRepeatable(async (transaction) => {
          if (await this.folders.hold(folder, transaction))
            await this.places.setLabels(folder, new Map(after), transaction);
        });
      },
    });
  }

  /** Stores a change for the places that differ, folder by folder, and records it. */
  private async store(
    session: ImapSession,
    accountId: string,
    ids: readonly string[],
    differs: (place: Place) => boolean,
    steps: {
      readonly store: (uids: readonly number[]) => Promise<void>;
      readonly record: (folder: ImapFolderEntity, places: readonly Place[]) => Promise<void>;
    },
  ): Promise<void> {
    const folders = await this.folders.list(accountId);
    const places = (await this.places.findOfMessages(accountId, ids)).filter(differs);
    for (const group of groupPlaces(places)) {
      const { folderId, uidValidity, places: found } = group;
      const folder = folders.find(({ id }) => id === folderId);
      if (!folder) continue;
      await this.checks.enter(session, folder, group);
      await steps.store(found.map(({ uid }) => uid));
      await steps.record({ ...folder, uidValidity }, found);
    }
  }
}

/** Returns the role of the folder that messages move to; null: they stay. */
function targetOf(add: readonly string[], remove: readonly string[]): FolderRole | null {
  const into = add.find((label) => FOLDER_LABELS[label]);
  if (into) return FOLDER_LABELS[into] ?? null;
  // Messages that return to the inbox, or lose TRASH or SPAM, lie in All Mail again.
  return add.includes('INBOX') || remove.some((label) => FOLDER_LABELS[label]) ? 'archive' : null;
}

/** Finds the names in X-GM-LABELS of labels that are not flags or folders, by their ids. @throws LabelNotFound */
function findLabelNames(
  labels: readonly string[],
  folders: readonly ImapFolderEntity[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const label of labels) {
    if (FOLDER_LABELS[label] || FLAG_LABELS[label] || FIXED_LABELS.includes(label)) continue;
    const name = gmailLabelName(label, folders);
    if (name === undefined) throw new LabelNotFound();
    names.set(label, name);
  }
  return names;
}

function requireUnchanged(label: string, places: readonly Place[], { add, remove }: LabelChange): void {
  const isChange =
    (add.includes(label) && places.some(({ labels }) => !labels.includes(label))) ||
    (remove.includes(label) && places.some(({ labels }) => labels.includes(label)));
  if (isChange)
    throw new ProviderRejected('invalidArgument', `Gmail decides by itself what has the label ${label}.`);
}

function requireFolder(role: FolderRole, folders: readonly ImapFolderEntity[]): ImapFolderEntity {
  const found = folders.find((folder) => folder.role === role);
  if (found) return found;
  throw hiddenFolder(role);
}

const toggleValue = (values: readonly string[], value: string, isSet: boolean): string[] => {
  const others = values.filter((other) => other !== value);
  return isSet ? [...others, value].sort() : others;
};
