import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../common/database/transactions';
import { ProviderFailure } from '../gateway/provider-call';
import { LabelNotFound } from '../mail-provider.errors';
import type { CallOptions, LabelChange, ProviderAccount } from '../mailbox-provider.port';
import { ImapCalls, type ImapAttempt } from './imap-calls';
import { GmailLabelWrites } from './gmail-label-writes';
import {
  FolderWanted,
  groupedPlaces,
  type PlaceGroup,
  planChange,
  type PlannedChange,
} from './imap-change-plan';
import { refused } from './imap-failures';
import { ImapFoldersRepository } from './imap-folders.repository';
import type { FolderRole, ImapFolderEntity } from './imap-index.entity';
import { type Place, ImapPlacesRepository } from './imap-places.repository';
import { FolderMissing, type ImapSession } from './imap-session';
import { ImapSync } from './imap-sync';
import type { SyncedMailbox } from './synced-mailbox';

/** Folders we create when the mailbox lacks one of that kind. */
const CREATED: Readonly<Partial<Record<FolderRole, string>>> = {
  archive: 'Archive',
  trash: 'Trash',
  junk: 'Junk',
};

const NO_DELETE =
  'The server cannot delete single messages (it lacks UIDPLUS): deleting these would delete what other programs have marked as well.';
const NO_MOVE =
  'The server can neither move messages nor delete single ones, so they cannot leave their folder safely.';

interface Group extends PlaceGroup {
  readonly to: string;
}

/**
 * Changes of messages. Everything may be repeated: moving and removing name UIDs that are not used twice, and before a
 * copy is made the target is read. Never does a plain EXPUNGE leave here.
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
  ) {}

  /** Messages that are not known are left out. @throws LabelNotFound, ProviderRejected */
  async modify(
    account: ProviderAccount,
    ids: readonly string[],
    change: LabelChange,
    options: CallOptions,
  ): Promise<void> {
    await this.calls.run(account, { ...options, command: 'STORE' }, async (means) => {
      const mailbox = { account, server: means.server };
      // The answer to an earlier attempt was lost: first of all what it did.
      if (means.attempt.number > 1) await this.sync.run(mailbox, means.session, means.attempt.signal);
      if (means.server.gmailLabels) await this.gmail.change(mailbox, means.session, ids, change);
      else await this.change(mailbox, means, ids, change);
    });
  }

  /** Removes all copies for good. @throws ProviderRejected where the server cannot do that safely */
  async delete(account: ProviderAccount, ids: readonly string[], options: CallOptions): Promise<void> {
    await this.calls.run(
      account,
      { ...options, command: 'EXPUNGE' },
      async ({ session, server, attempt }) => {
        if (!session.has('UIDPLUS')) throw refused('unsupported', NO_DELETE);
        const mailbox = { account, server };
        if (attempt.number > 1) await this.sync.run(mailbox, session, attempt.signal);
        if (server.gmailLabels) {
          await this.gmail.delete(mailbox, session, ids, (folder, places) =>
            this.remove(session, folder, places),
          );
          return;
        }
        const folders = await this.folderMap(account.id);
        for (const { folderId, places } of groupedPlaces(await this.places.ofMessages(account.id, ids))) {
          await this.remove(session, folders.get(folderId), places);
        }
        await this.sync.tell(account.id, true);
      },
    );
  }

  /** The folder with a role, created if there is none. */
  async folderFor(mailbox: SyncedMailbox, session: ImapSession, role: FolderRole): Promise<ImapFolderEntity> {
    const find = async (): Promise<ImapFolderEntity | undefined> =>
      (await this.folders.list(mailbox.account.id)).find((folder) => folder.role === role);
    const found = await find();
    if (found) return found;
    const name = CREATED[role];
    if (name === undefined) throw new LabelNotFound();
    await this.createFolder(mailbox, session, name);
    const created = await find();
    if (!created) throw refused('unsupported', `The server did not create the folder ${name}.`);
    return created;
  }

  /** Takes messages out of a folder: to the archive folder, unless they lie elsewhere as well. */
  async leaveFolder(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    places: readonly Place[],
  ): Promise<void> {
    const all = await this.places.ofMessages(
      mailbox.account.id,
      places.map(({ messageId }) => messageId),
    );
    const elsewhere = new Set(
      all.filter(({ folderId }) => folderId !== folder.id).map(({ messageId }) => messageId),
    );
    const last = places.filter(({ messageId }) => !elsewhere.has(messageId));
    if (last.length > 0) {
      const archive = await this.folderFor(mailbox, session, 'archive');
      const folders = await this.folderMap(mailbox.account.id);
      for (const group of groupedPlaces(last))
        await this.move(mailbox, session, folders, { ...group, to: archive.id });
    }
    const others = places.filter(({ messageId }) => elsewhere.has(messageId));
    const keeping = new Set(all.map(({ folderId }) => folderId).filter((id) => id !== folder.id));
    if (others.length > 0) await this.removeKept(mailbox, session, folder, others, keeping);
    await this.sync.tell(mailbox.account.id, false);
  }

  /** Creates a folder, below INBOX where servers allow none beside it. */
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
      // A copy that is there already, made by us or by somebody else, must not be made again.
      await this.sync.runFor(mailbox, session, targets);
      plans = await this.plan(mailbox, session, ids, change);
    }
    const folders = await this.folderMap(id);
    await this.changeFlags(session, folders, id, ids, plans);
    for (const group of groupsOf(plans.flatMap(({ copies }) => copies)))
      await this.copy(mailbox, session, folders, group);
    for (const group of groupsOf(plans.flatMap(({ moves }) => moves)))
      await this.move(mailbox, session, folders, group);
    await this.rememberFolders(id, plans, folders);
    await this.removeSurplus(mailbox, session, folders, plans);
    await this.sync.tell(id, false);
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
      for (const place of await this.places.ofMessages(id, ids)) {
        const known = byMessage.get(place.messageId);
        if (known) known.push(place);
        else byMessage.set(place.messageId, [place]);
      }
      try {
        return [...byMessage.values()].map((places) => planChange(places, change, folders));
      } catch (error) {
        if (!(error instanceof FolderWanted)) throw error;
        await this.folderFor(mailbox, session, error.role);
      }
    }
  }

  private async changeFlags(
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    accountId: string,
    ids: readonly string[],
    [plan]: readonly PlannedChange[],
  ): Promise<void> {
    // The flags are the same for all messages of a change.
    for (const { sign, flag } of plan?.flags ?? []) {
      const places = await this.places.ofMessages(accountId, ids);
      const differing = places.filter(({ flags }) => flags.includes(flag) !== (sign === '+'));
      for (const { folderId, uidValidity, places: found } of groupedPlaces(differing)) {
        const folder = folders.get(folderId);
        if (!folder) continue;
        await session.enter(folder.path, uidValidity);
        if (!session.keeps(flag))
          throw refused('unsupported', `The server does not keep the flag ${flag} in this folder.`);
        await session.store(
          found.map(({ uid }) => uid),
          sign,
          [flag],
        );
        const after = new Map(found.map(({ uid, flags }) => [uid, withFlag(flags, sign, flag)]));
        await this.record([{ ...folder, uidValidity }], (transaction) =>
          this.places.setFlags(folder, after, transaction),
        );
      }
    }
  }

  private async copy(
    { account }: SyncedMailbox,
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    { folderId, uidValidity, to, places }: Group,
  ): Promise<void> {
    const [from, target] = [folders.get(folderId), folders.get(to)];
    if (!from || !target) return;
    await session.enter(from.path, uidValidity);
    const copied = await this.into(() =>
      session.copy(
        places.map(({ uid }) => uid),
        target.path,
      ),
    );
    if (copied?.uidValidity !== target.uidValidity) return;
    await this.record([{ ...from, uidValidity }, target], (transaction) =>
      this.places.copied({ id: from.id, accountId: account.id }, target.id, copied.pairs, transaction),
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
    await session.enter(from.path, group.uidValidity);
    if (!session.has('MOVE')) return this.moveByCopy(mailbox, session, from, target, group);
    const moved = await this.into(() => session.move(uids, target.path));
    if (moved?.uidValidity !== target.uidValidity || moved.pairs.length < uids.length) {
      // The server did not say all: the folders themselves do.
      await this.sync.runFor(mailbox, session, new Set([from.id, target.id]));
      return;
    }
    await this.record([{ ...from, uidValidity: group.uidValidity }, target], async (transaction) => {
      await this.places.copied(from, target.id, moved.pairs, transaction);
      await this.places.remove(from, uids, transaction);
    });
  }

  /** Without MOVE: a message leaves its folder when the server has named its copy. */
  private async moveByCopy(
    mailbox: SyncedMailbox,
    session: ImapSession,
    from: ImapFolderEntity,
    target: ImapFolderEntity,
    { uidValidity, places }: PlaceGroup,
  ): Promise<void> {
    if (!session.has('UIDPLUS')) throw refused('unsupported', NO_MOVE);
    await this.sync.runFor(mailbox, session, new Set([target.id]));
    const there = new Set(
      (
        await this.places.ofMessages(
          mailbox.account.id,
          places.map(({ messageId }) => messageId),
        )
      )
        .filter(({ folderId }) => folderId === target.id)
        .map(({ messageId }) => messageId),
    );
    const missing = places.filter(({ messageId }) => !there.has(messageId)).map(({ uid }) => uid);
    await session.enter(from.path, uidValidity);
    if (missing.length > 0) {
      const copied = await this.into(() => session.copy(missing, target.path));
      if (copied?.uidValidity === target.uidValidity) {
        await this.record([{ ...from, uidValidity }, target], (transaction) =>
          this.places.copied(from, target.id, copied.pairs, transaction),
        );
      } else await this.sync.runFor(mailbox, session, new Set([target.id]));
    }
    await this.removeKept(mailbox, session, from, places, new Set([target.id]));
  }

  private async removeSurplus(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folders: ReadonlyMap<string, ImapFolderEntity>,
    plans: readonly PlannedChange[],
  ): Promise<void> {
    const surplus = plans.flatMap(({ removals }) => removals);
    if (surplus.length === 0) return;
    const doomed = new Set(surplus.map(({ folderId, uid }) => `${folderId}:${uid}`));
    for (const { folderId, places } of groupedPlaces(surplus)) {
      const from = folders.get(folderId);
      if (!from) continue;
      const others = await this.places.ofMessages(
        mailbox.account.id,
        places.map(({ messageId }) => messageId),
      );
      const keeping = new Set(
        others
          .filter((place) => !doomed.has(`${place.folderId}:${place.uid}`))
          .map((place) => place.folderId),
      );
      await this.removeKept(mailbox, session, from, places, keeping);
    }
  }

  /** Removes copies of which the server shows another one in `keeping`. */
  private async removeKept(
    { account }: SyncedMailbox,
    session: ImapSession,
    from: ImapFolderEntity,
    places: readonly Place[],
    keeping: ReadonlySet<string>,
  ): Promise<void> {
    const folders = await this.folderMap(account.id);
    const others = (
      await this.places.ofMessages(
        account.id,
        places.map(({ messageId }) => messageId),
      )
    ).filter(({ folderId }) => folderId !== from.id && keeping.has(folderId));
    const shown = new Set<string>();
    for (const { folderId, uidValidity, places: copies } of groupedPlaces(others)) {
      const folder = folders.get(folderId);
      if (!folder) continue;
      await session.enter(folder.path, uidValidity);
      const present = await session.fetches.present(copies.map(({ uid }) => uid));
      for (const { uid, messageId } of copies) if (present.has(uid)) shown.add(messageId);
    }
    const removable = places.filter(({ messageId }) => shown.has(messageId));
    if (removable.length === 0) return;
    if (!session.has('UIDPLUS')) throw refused('unsupported', NO_DELETE);
    await this.remove(session, from, removable);
  }

  private async remove(
    session: ImapSession,
    folder: ImapFolderEntity | undefined,
    places: readonly Place[],
  ): Promise<void> {
    if (!folder) return;
    for (const group of groupedPlaces(places)) {
      await session.enter(folder.path, group.uidValidity);
      const uids = group.places.map(({ uid }) => uid);
      await session.expunge(uids);
      const left = await session.fetches.present(uids);
      const gone = uids.filter((uid) => !left.has(uid));
      await this.record([{ ...folder, uidValidity: group.uidValidity }], (transaction) =>
        this.places.remove(folder, gone, transaction),
      );
    }
  }

  /** Stores what was done to UIDs, unless one of the folders has been read anew meanwhile: then its UIDs are others. */
  private async record(
    folders: readonly ImapFolderEntity[],
    store: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(async (transaction) => {
      for (const folder of folders) if (!(await this.folders.hold(folder, transaction))) return;
      await store(transaction);
    });
  }

  private async rememberFolders(
    accountId: string,
    plans: readonly PlannedChange[],
    folders: ReadonlyMap<string, ImapFolderEntity>,
  ): Promise<void> {
    const trash = [...folders.values()].find(({ role }) => role === 'trash');
    const from = new Map(
      plans.flatMap(({ messageId, trashedFrom }) =>
        trashedFrom.length > 0 ? [[messageId, trashedFrom] as const] : [],
      ),
    );
    if (!trash || from.size === 0) return;
    await this.transactions.run((transaction) => this.places.rememberFolders(trash.id, from, transaction));
  }

  /** The target may have been deleted by somebody else in the meantime. */
  private async into<T>(work: () => Promise<T>): Promise<T> {
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

const withFlag = (flags: readonly string[], sign: '+' | '-', flag: string): string[] => {
  const others = flags.filter((name) => name !== flag);
  return sign === '+' ? [...others, flag].sort() : others;
};

const groupsOf = (steps: readonly { readonly from: Place; readonly to: string }[]): Group[] => {
  const targets = [...new Set(steps.map(({ to }) => to))];
  return targets.flatMap((to) =>
    groupedPlaces(steps.flatMap((step) => (step.to === to ? [step.from] : []))).map((group) => ({
      ...group,
      to,
    })),
  );
};
