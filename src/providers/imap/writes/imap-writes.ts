import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import { ProviderFailure } from '../../gateway/provider-call';
import { LabelNotFound, ProviderRejected } from '../../port/mail-provider.errors';
import type { CallOptions, LabelChange, ProviderAccount } from '../../port/mailbox-provider.port';
import { ImapCalls, type ImapAttempt } from '../session/imap-calls';
import { GmailLabelWrites } from './gmail-label-writes';
import {
  FolderWanted,
  groupPlaces,
  hasCopyIn,
  findExpunged,
  type PlaceGroup,
  planChange,
  type PlannedChange,
  type PlannedStep,
} from './imap-change-plan';
import { buildRefusal } from '../session/imap-failures';
import { ImapFolderChecks } from '../imap-folder-checks';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { FolderRole, ImapFolderEntity } from '../store/imap-index.entity';
import { type CopiedPlaces, type Place, ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing, type ImapSession } from '../session/imap-session';
import { ImapSync } from '../sync/imap-sync';
import type { SyncedMailbox } from '../sync/synced-mailbox';

/** Names of the folders that we create when the mailbox lacks one of the role. */
const CREATED: Readonly<Partial<Record<FolderRole, string>>> = {
  archive: 'Archive',
  trash: 'Trash',
  junk: 'Junk',
};

const NO_DELETE =
  'The server cannot delete single messages (it lacks UIDPLUS): deleting these would delete what other programs have marked as well.';
const NO_MOVE =
  'The server can neither move messages nor delete single ones, so they cannot leave their folder safely.';

const NOT_NAMED =
  'The server did not say where its copies are, so the messages stay in their folder as well.';
const IS_VIEW =
  'The folder shows messages that lie in other folders, so it cannot be emptied: a message that leaves it leaves them too.';

interface Group extends PlaceGroup {
  readonly to: string;
}

/**
 * Changes messages. All changes may be repeated: a move names UIDs that are not used twice, and before a copy is made
 * the target is read. Messages are expunged only to delete them for good, or after a copy that the server has named,
 * never because another folder shows the same message. A plain EXPUNGE is never sent.
 */
@Injectable()
export class ImapWrites {
  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly sync: ImapSync,
    private readonly gmail: GmailLabelWrites,
    private readonly transactions: Transactions,
    private readonly checks: ImapFolderChecks,
  ) {}

  /** Changes labels. Unknown messages are left out. @throws LabelNotFound, ProviderRejected */
  async modify(
    account: ProviderAccount,
    ids: readonly string[],
    change: LabelChange,
    options: CallOptions,
  ): Promise<void> {
    await this.calls.run(account, { ...options, command: 'STORE' }, async (attempt) => {
      const mailbox = { account, server: attempt.server };
      await this.syncBeforeChange(mailbox, attempt, ids, options);
      if (attempt.server.gmailLabels) await this.gmail.change(mailbox, attempt.session, ids, change);
      else await this.change(mailbox, attempt, ids, change);
    });
  }

  /** Removes all copies for good. @throws ProviderRejected where the server cannot do that safely */
  async delete(account: ProviderAccount, ids: readonly string[], options: CallOptions): Promise<void> {
    await this.calls.run(account, { ...options, command: 'EXPUNGE' }, async (attempt) => {
      const { session, server } = attempt;
      if (!session.has('UIDPLUS')) throw buildRefusal('unsupported', NO_DELETE);
      const mailbox = { account, server };
      await this.syncBeforeChange(mailbox, attempt, ids, options);
      if (server.gmailLabels) {
        await this.gmail.delete(mailbox, session, ids, (folder, places) =>
          this.remove(session, folder, places),
        );
        return;
      }
      const folders = await this.folderMap(account.id);
      const all = await this.places.findOfMessages(account.id, ids);
      const expunged = new Set<Place>();
      for (const { folderId, places } of groupPlaces(all))
        for (const place of await this.remove(session, folders.get(folderId), places)) expunged.add(place);
      await this.removeFromTrash(mailbox, session, ids, all);
      await this.sync.appendHistory(account.id, findExpunged(all, expunged));
    });
  }

  /** Syncs the mailbox when the answer to an earlier attempt was lost, or messages have no known place. */
  private async syncBeforeChange(
    mailbox: SyncedMailbox,
    { session, attempt }: ImapAttempt,
    ids: readonly string[],
    { fence }: CallOptions,
  ): Promise<void> {
    const isRepeated = attempt.number > 1;
    if (!isRepeated && (await this.places.findLost(mailbox.account.id, ids)).length === 0) return;
    await this.sync.findLost(mailbox, session, ids, attempt.signal);
    // The sync may have taken a while.
    fence?.();
  }

  /**
   * Deletes messages from the trash too, since some servers move expunged ones there (Courier with
   * IMAP_MOVE_EXPUNGE_TO_TRASH).
   */
  private async removeFromTrash(
    mailbox: SyncedMailbox,
    session: ImapSession,
    ids: readonly string[],
    expunged: readonly Place[],
  ): Promise<void> {
    const { id } = mailbox.account;
    const trash = (await this.folders.list(id)).find(({ role }) => role === 'trash');
    if (!trash || expunged.every(({ folderId }) => folderId === trash.id)) return;
    await this.sync.runFor(mailbox, session, new Set([trash.id]));
    const there = (await this.places.findOfMessages(id, ids)).filter(({ folderId }) => folderId === trash.id);
    await this.remove(session, trash, there);
  }

  /** Finds the folder with a role, or creates it. */
  async ensureFolder(
    mailbox: SyncedMailbox,
    session: ImapSession,
    role: FolderRole,
  ): Promise<ImapFolderEntity> {
    const find = async (): Promise<ImapFolderEntity | undefined> =>
      (await this.folders.list(mailbox.account.id)).find((folder) => folder.role === role);
    const found = await find();
    if (found) return found;
    const name = CREATED[role];
    if (name === undefined) throw new LabelNotFound();
    await this.createFolder(mailbox, session, name);
    const created = await find();
    if (!created) throw buildRefusal('unsupported', `The server did not create the folder ${name}.`);
    return created;
  }

  /**
   * Removes messages from a folder: they move to the archive folder, unless another place holds a copy that we have
   * made. The first of those that also lie elsewhere is moved alone, as a test.
   * @throws ProviderRejected when the test removed it from the other folders too
   */
  async removeFromFolder(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    places: readonly Place[],
  ): Promise<void> {
    const { id } = mailbox.account;
    const archive = await this.ensureFolder(mailbox, session, 'archive');
    const folders = await this.folderMap(id);
    const leave = async (leaving: readonly Place[]): Promise<void> => {
      for (const group of groupPlaces(leaving))
        await this.move(mailbox, session, folders, { ...group, to: archive.id });
    };
    const others = (
      await this.places.findOfMessages(
        id,
        places.map(({ messageId }) => messageId),
      )
    ).filter(({ folderId }) => folderId !== folder.id && folderId !== archive.id);
    const copies = places.filter((place) => hasCopyIn(others, place));
    const last = places.filter((place) => !copies.includes(place));
    const probe = last.find(({ messageId }) => others.some((other) => other.messageId === messageId));
    if (probe) {
      await leave([probe]);
      const elsewhere = others.filter(({ messageId }) => messageId === probe.messageId);
      await this.sync.runFor(mailbox, session, new Set(elsewhere.map(({ folderId }) => folderId)));
      const left = await this.places.findOfMessages(id, [probe.messageId]);
      if (elsewhere.some((other) => left.every(({ folderId }) => folderId !== other.folderId)))
        throw buildRefusal('unsupported', IS_VIEW);
    }
    await leave(last.filter((place) => place !== probe));
    await this.removeCopies(mailbox, session, copies);
    await this.sync.appendHistory(id);
  }

  /** Creates a folder; below INBOX where the server allows none beside it. @returns its path */
  async createFolder(mailbox: SyncedMailbox, session: ImapSession, path: string): Promise<string> {
    const inbox = (await this.folders.list(mailbox.account.id)).find(({ role }) => role === 'inbox');
    let created = path;
    try {
      await session.create(path);
    } catch (error) {
      const isRefused =
        error instanceof ProviderFailure && error.kind === 'refused' && error.reason !== 'alreadyexists';
      if (!isRefused || !inbox?.delimiter) throw error;
      created = `INBOX${inbox.delimiter}${path}`;
      await session.create(created);
    }
    await session.subscribe(created);
    await this.sync.run(mailbox, session);
    return created;
  }

  private async change(
    mailbox: SyncedMailbox,
    { session }: ImapAttempt,
    ids: readonly string[],
    change: LabelChange,
  ): Promise<void> {
    const { id } = mailbox.account;
    let plans = await this.plan(mailbox, session, ids, change);
    const targets = new Set(plans.flatMap(({ copies }) => copies.map(({ to }) => to)));
    if (targets.size > 0) {
      // A copy that exists already, made by us or by another program, must not be made again.
      await this.sync.runFor(mailbox, session, targets);
      plans = await this.plan(mailbox, session, ids, change);
    }
    const folders = await this.folderMap(id);
    // A refusal in one folder must not keep the others from being changed. The history records the changes made.
    const refusals: unknown[] = [];
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusals.push(error);
      }
    };
    await this.changeFlags(session, folders, id, ids, plans, attempt);
    for (const group of groupsOf(plans.flatMap(({ copies }) => copies)))
      await attempt(() => this.copy(mailbox, session, folders, group));
    // The archive folder has no label. If moves out of it came last, a sync in between would take the change for
    // archiving by another program.
    const isInArchive = ({ folderId }: Group): boolean => folders.get(folderId)?.role === 'archive';
    const moves = groupsOf(plans.flatMap((plan) => plan.moves));
    for (const group of [...moves.filter(isInArchive), ...moves.filter((each) => !isInArchive(each))])
      await attempt(() => this.move(mailbox, session, folders, group));
    const surplus = plans.flatMap(({ removals }) => removals);
    if (surplus.length > 0) await attempt(() => this.removeCopies(mailbox, session, surplus));
    await this.sync.appendHistory(id);
    if (refusals.length > 0) throw refusals[0];
  }

  private async plan(
    mailbox: SyncedMailbox,
    session: ImapSession,
    ids: readonly string[],
    change: LabelChange,
  ): Promise<PlannedChange[]> {
    const { id } = mailbox.account;
    for (;;) {
      const folders = await this.folders.list(id);
      const byMessage = new Map<string, Place[]>();
      for (const place of await this.places.findOfMessages(id, ids)) {
        const known = byMessage.get(place.messageId);
        if (known) known.push(place);
        else byMessage.set(place.messageId, [place]);
      }
      try {
        return [...byMessage.values()].map((places) => planChange(places, change, folders));
      } catch (error) {
        if (!(error instanceof FolderWanted)) throw error;
        await this.ensureFolder(mailbox, session, error.role);
      }
    }
  }

  private async changeFlags(
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    accountId: string,
    ids: readonly string[],
    [plan]: readonly PlannedChange[],
    attempt: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    // The flags to change are the same for all messages.
    for (const change of plan?.flags ?? []) {
      const { sign, flag } = change;
      const places = await this.places.findOfMessages(accountId, ids);
      const differing = places.filter(({ flags }) => flags.includes(flag) !== (sign === '+'));
      for (const group of groupPlaces(differing)) {
        const folder = folders.get(group.folderId);
        if (folder) await attempt(() => this.changeFlag(session, folder, group, change));
      }
    }
  }

  private async changeFlag(
    session: ImapSession,
    folder: ImapFolderEntity,
    group: PlaceGroup,
    { sign, flag }: PlannedChange['flags'][number],
  ): Promise<void> {
    const { uidValidity, places } = group;
    const notKept = (): ProviderFailure =>
      buildRefusal('unsupported', `The server does not keep the flag ${flag} in this folder.`);
    await this.checks.enter(session, folder, group);
    if (!session.keeps(flag)) throw notKept();
    const after = await session.store(
      places.map(({ uid }) => uid),
      sign,
      [flag],
    );
    await this.record([{ ...folder, uidValidity }], (transaction) =>
      this.places.setFlags(folder, after, transaction),
    );
    if ([...after.values()].some((flags) => flags.includes(flag) !== (sign === '+'))) throw notKept();
  }

  private async copy(
    { account }: SyncedMailbox,
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    group: Group,
  ): Promise<void> {
    const { folderId, uidValidity, to, places } = group;
    const [from, target] = [folders.get(folderId), folders.get(to)];
    if (!from || !target) return;
    await this.checks.enter(session, from, group);
    const copied = await this.mapMissingTarget(() =>
      session.copy(
        places.map(({ uid }) => uid),
        target.path,
      ),
    );
    if (copied?.uidValidity !== target.uidValidity || (await this.checks.goesBack(target, copiesIn(copied))))
      return;
    await this.record([{ ...from, uidValidity }, target], (transaction) =>
      this.places.addCopies(
        { id: from.id, accountId: account.id },
        target.id,
        { pairs: copied.pairs, areStaying: true },
        transaction,
      ),
    );
  }

  private async move(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    group: Group,
  ): Promise<void> {
    const [from, target] = [folders.get(group.folderId), folders.get(group.to)];
    if (!from || !target) return;
    const uids = group.places.map(({ uid }) => uid);
    await this.checks.enter(session, from, group);
    if (!session.has('MOVE')) return this.moveByCopy(mailbox, session, from, target, group);
    const moved = await this.mapMissingTarget(() => session.move(uids, target.path));
    const isNamed = moved?.uidValidity === target.uidValidity && moved.pairs.length === uids.length;
    if (!isNamed || (await this.checks.goesBack(target, copiesIn(moved)))) {
      // The server did not name all copies, or the known state of the target is wrong, so both folders are read.
      await this.sync.runFor(mailbox, session, new Set([from.id, target.id]));
      if (target.role === 'trash') await this.rememberFolder(from, target, group.places);
      return;
    }
    await this.record([{ ...from, uidValidity: group.uidValidity }, target], async (transaction) => {
      await this.places.addCopies(from, target.id, copiesOf(from, target, moved.pairs), transaction);
      await this.places.remove(from, uids, transaction);
    });
  }

  /** Moves messages without MOVE: each leaves its folder once the server has named its copy and shows it. */
  private async moveByCopy(
    mailbox: SyncedMailbox,
    session: ImapSession,
    from: ImapFolderEntity,
    target: ImapFolderEntity,
    { uidValidity, places }: PlaceGroup,
  ): Promise<void> {
    if (!session.has('UIDPLUS')) throw buildRefusal('unsupported', NO_MOVE);
    const copied = await this.mapMissingTarget(() =>
      session.copy(
        places.map(({ uid }) => uid),
        target.path,
      ),
    );
    if (copied?.uidValidity !== target.uidValidity) {
      await this.sync.runFor(mailbox, session, new Set([target.id]));
      throw buildRefusal('unsupported', NOT_NAMED);
    }
    const isTargetBack = await this.checks.goesBack(target, copiesIn(copied));
    await session.enter(target.path, target.uidValidity);
    const present = await session.fetches.findPresent(copied.pairs.map(([, copy]) => copy));
    const pairs = copied.pairs.filter(([, copy]) => present.has(copy));
    await this.record([{ ...from, uidValidity }, target], (transaction) =>
      this.places.addCopies(from, target.id, copiesOf(from, target, pairs), transaction),
    );
    const named = new Set(pairs.map(([source]) => source));
    await this.remove(
      session,
      from,
      places.filter(({ uid }) => named.has(uid)),
    );
    if (!isTargetBack) return;
    await this.sync.runFor(mailbox, session, new Set([target.id]));
    if (target.role === 'trash') await this.rememberFolder(from, target, places);
  }

  /** Expunges places whose copies the server shows in folders that stay; the other places move to the archive folder. */
  private async removeCopies(
    mailbox: SyncedMailbox,
    session: ImapSession,
    places: readonly Place[],
  ): Promise<void> {
    if (places.length === 0) return;
    const { id } = mailbox.account;
    const folders = await this.folderMap(id);
    const left = new Set(places.map(({ folderId, uid }) => `${folderId}:${uid}`));
    const groups = new Set(places.flatMap(({ copyGroup }) => copyGroup ?? []));
    const mates = (
      await this.places.findOfMessages(
        id,
        places.map(({ messageId }) => messageId),
      )
    ).filter(
      ({ folderId, uid, copyGroup }) =>
        copyGroup !== null && groups.has(copyGroup) && !left.has(`${folderId}:${uid}`),
    );
    const shown: Place[] = [];
    for (const { folderId, uidValidity, places: found } of session.has('UIDPLUS') ? groupPlaces(mates) : []) {
      const folder = folders.get(folderId);
      if (!folder) continue;
      await session.enter(folder.path, uidValidity);
      shown.push(...(await this.checks.findShown(session, folder, { folderId, uidValidity, places: found })));
    }
    const removable = new Set(places.filter((place) => hasCopyIn(shown, place)));
    for (const { folderId, places: found } of groupPlaces([...removable]))
      await this.remove(session, folders.get(folderId), found);
    const last = places.filter((place) => !removable.has(place));
    if (last.length === 0) return;
    const archive = await this.ensureFolder(mailbox, session, 'archive');
    const known = await this.folderMap(id);
    for (const group of groupPlaces(last))
      await this.move(mailbox, session, known, { ...group, to: archive.id });
  }

  /**
   * Expunges places, each after the server has shown the header of its message there: an equal UIDVALIDITY does not prove
   * that a UID is still that of the message.
   * @returns the places that were expunged
   */
  private async remove(
    session: ImapSession,
    folder: ImapFolderEntity | undefined,
    places: readonly Place[],
  ): Promise<Place[]> {
    if (!folder) return [];
    const expunged: Place[] = [];
    for (const group of groupPlaces(places)) {
      await session.enter(folder.path, group.uidValidity);
      const shown = await this.checks.findShown(session, folder, group);
      if (shown.length > 0) await session.expunge(shown.map(({ uid }) => uid));
      const uids = group.places.map(({ uid }) => uid);
      const left = await session.fetches.findPresent(uids);
      const gone = uids.filter((uid) => !left.has(uid));
      expunged.push(...shown.filter(({ uid }) => !left.has(uid)));
      await this.record([{ ...folder, uidValidity: group.uidValidity }], (transaction) =>
        this.places.remove(folder, gone, transaction),
      );
    }
    return expunged;
  }

  /** Stores changes of UIDs, unless one of the folders has been read anew meanwhile and has other UIDs. */
  private async record(
    folders: readonly ImapFolderEntity[],
    store: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.transactions.runRepeatable(async (transaction) => {
      if (await this.folders.holdAll(folders, transaction)) await store(transaction);
    });
  }

  private rememberFolder(
    from: ImapFolderEntity,
    trash: ImapFolderEntity,
    places: readonly Place[],
  ): Promise<void> {
    const messageIds = places.map(({ messageId }) => messageId);
    return this.transactions.runRepeatable((transaction) =>
      this.places.rememberFolder(trash.id, from.id, messageIds, transaction),
    );
  }

  /** Runs `work`, whose target folder another program may have deleted meanwhile. */
  private async mapMissingTarget<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      throw new LabelNotFound();
    }
  }

  private async folderMap(accountId: string): Promise<Map<string, ImapFolderEntity>> {
    return new Map((await this.folders.list(accountId)).map((folder) => [folder.id, folder]));
  }
}

/** Returns the UIDs of copies. */
const copiesIn = ({ pairs }: Pick<CopiedPlaces, 'pairs'>): number[] => pairs.map(([, copy]) => copy);

const copiesOf = (
  from: ImapFolderEntity,
  target: ImapFolderEntity,
  pairs: CopiedPlaces['pairs'],
): CopiedPlaces => ({ pairs, ...(target.role === 'trash' && { trashedFrom: from.id }) });

/** Whether the server, or our own check, refused a command for good, which does not affect the connection. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ProviderFailure
    ? error.kind === 'refused' && error.error instanceof ProviderRejected
    : error instanceof LabelNotFound;

const groupsOf = (steps: readonly PlannedStep[]): Group[] => {
  const targets = [...new Set(steps.map(({ to }) => to))];
  return targets.flatMap((to) =>
    groupPlaces(steps.flatMap((step) => (step.to === to ? [step.from] : []))).map((group) => ({
      ...group,
      to,
    })),
  );
};
