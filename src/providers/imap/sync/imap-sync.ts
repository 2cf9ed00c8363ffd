import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { RedisLock } from '../../../platform/redis/redis-lock';
import { ProviderFailure } from '../../gateway/provider-call';
import { unavailable } from '../session/imap-failures';
import { ImapFolderList } from './imap-folder-list';
import { ImapFolderReader } from './imap-folder-reader';
import { holdsMessages } from './imap-folder-roles';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import {
  type ChangedMessage,
  type HistoryEntry,
  ImapHistoryRepository,
} from '../store/imap-history.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { HEADERS_AT_ONCE, ImapHeaders } from '../messages/imap-headers';
import { ImapPlacesRepository, type UnreadPlace } from '../store/imap-places.repository';
import { mayHideMessages } from '../login/imap-limits';
import {
  FolderMissing,
  type FolderStatus,
  type ImapSession,
  type ListedFolder,
} from '../session/imap-session';
import { ImapViews, isToBeAskedAgain } from './imap-views';
import { ImapSyncTimings } from './imap-sync-timings';
import type { SyncedMailbox } from './synced-mailbox';

/** Most messages whose changes are written to the history in one transaction. */
const RECORDED_AT_ONCE = 5_000;
/** Most headers that a call reads to find lost messages, which takes two commands. */
const SEARCHED_AT_ONCE = 2 * HEADERS_AT_ONCE;
/** Interval at which flags are compared where the server does not report changes, in milliseconds. */
const FLAGS_EVERY_MS = 15 * 60_000;
/** Time for which a folder is skipped after invalid answers about it, in milliseconds. */
const INVALID_ANSWERS_PAUSE_MS = 15 * 60_000;
const LOCK = { heldMs: 15_000, renew: true, waitMs: 120_000 };

/** Result of a sync of all folders. */
interface SyncOutcome {
  /**
   * Messages that no folder showed before the second pass. The history records those as deleted that none has shown
   * since.
   */
  readonly missing: ReadonlySet<string>;
  /** Whether no message has gone since the second pass began. */
  readonly isSettled: boolean;
}

/**
 * Keeps the index of a mailbox up to date. The rules: a message only counts as gone when the server lists all others that
 * should be there; UIDs only count under the UIDVALIDITY they were read with; a difference is logged in the transaction that
 * stores it. It has ten dependencies because folders, places, history and views are updated together, under one lock.
 */
@Injectable()
export class ImapSync {
  private readonly logger = new Logger(ImapSync.name);

  constructor(
    private readonly folderList: ImapFolderList,
    private readonly reader: ImapFolderReader,
    private readonly headers: ImapHeaders,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly history: ImapHistoryRepository,
    private readonly transactions: Transactions,
    private readonly lock: RedisLock,
    private readonly timings: ImapSyncTimings,
    private readonly views: ImapViews,
  ) {}

  /**
   * Brings folders, places and history to the state of the server. Headers of old messages may still be missing.
   * @returns false when a message has gone during the second pass: the next sync decides whether it is deleted
   */
  async run(mailbox: SyncedMailbox, session: ImapSession, signal?: AbortSignal): Promise<boolean> {
    const { id } = mailbox.account;
    const { isSettled } = await this.runLocked(id, signal, () =>
      this.syncAllFolders(mailbox, session, signal),
    );
    await this.history.clean(id);
    return isSettled;
  }

  /**
   * Does the same as `run`, then reads some of the unread headers that may be those of messages without a known place.
   * The history records the messages that are gone.
   */
  async findLost(
    mailbox: SyncedMailbox,
    session: ImapSession,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { id } = mailbox.account;
    await this.runLocked(id, signal, async () => {
      const { missing } = await this.syncAllFolders(mailbox, session, signal);
      const lost = await this.places.findLost(id, ids);
      if (lost.length === 0) return;
      const unread = await this.places.findUnreadLike(id, lost, SEARCHED_AT_ONCE);
      await this.readPlaces(mailbox, session, unread, signal);
      await this.appendHistory(
        id,
        lost.filter((messageId) => missing.has(messageId)),
      );
    });
    await this.history.clean(id);
  }

  /**
   * Brings the folders of `labels` up to date. Where each folder takes a command, all folders are asked once a minute,
   * and INBOX and the folders of `labels` are read meanwhile.
   * @returns whether all folders were synced, and no message is left to the next sync
   */
  async syncFolders(
    mailbox: SyncedMailbox,
    session: ImapSession,
    labels: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!session.has('LIST-STATUS') && (await this.syncSomeFolders(mailbox, session, labels, signal)))
      return false;
    return this.run(mailbox, session, signal);
  }

  /** @returns false when all folders must be read */
  private syncSomeFolders(
    mailbox: SyncedMailbox,
    session: ImapSession,
    labels: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { id } = mailbox.account;
    return this.runLocked(id, signal, async () => {
      if (!(await this.history.hasFigures(id, this.timings.figuresMs))) return false;
      const wanted = (await this.folders.list(id)).filter(
        ({ role, labelId }) => role === 'inbox' || (labelId !== null && labels.has(labelId)),
      );
      const listed = wanted.map(({ path, delimiter }): ListedFolder => ({
        path,
        delimiter,
        attributes: [],
        status: null,
        isOpen: session.isOpen(path),
      }));
      await this.readFolders(mailbox, session, wanted, listed, signal);
      // Messages that have gone from these folders may lie in others. The history records them only after all folders
      // were read.
      await this.appendHistory(id);
      return !(await this.history.hasGone(id)) || this.history.hasFigures(id, this.timings.goneFiguresMs);
    });
  }

  /** Reads only some folders, which Mailroom itself has just changed. */
  async runFor(mailbox: SyncedMailbox, session: ImapSession, folderIds: ReadonlySet<string>): Promise<void> {
    await this.runLocked(mailbox.account.id, undefined, async () => {
      for (const folder of await this.folders.list(mailbox.account.id)) {
        if (folderIds.has(folder.id)) await this.reader.read(mailbox, session, folder, { status: null });
      }
      await this.appendHistory(mailbox.account.id);
    });
  }

  /** Reads headers, newest first. @returns whether there are more */
  async readHeaders(
    mailbox: SyncedMailbox,
    session: ImapSession,
    limit: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { id } = mailbox.account;
    return this.runLocked(id, signal, async () => {
      const unread = await this.places.findNewestUnread(id, limit);
      await this.readPlaces(mailbox, session, unread, signal);
      if (unread.length < limit) await this.views.recognizeTwins(id);
      await this.appendHistory(id);
      return unread.length === limit;
    });
  }

  private async syncAllFolders(
    mailbox: SyncedMailbox,
    session: ImapSession,
    signal: AbortSignal | undefined,
  ): Promise<SyncOutcome> {
    const { id } = mailbox.account;
    const listed = await session.list();
    const known = await this.folderList.updateList(mailbox, session, listed);
    await this.readFolders(mailbox, session, known, listed, signal);
    await this.readUndecided(mailbox, session, signal);
    // Views are reviewed before any message counts as gone: a message may lie only in a view, or in one that is no view
    // any more.
    const reviewViews = (found: readonly ListedFolder[]): Promise<void> =>
      this.views.review(id, session, found, (folder) =>
        this.skipOnInvalidAnswers(folder, () =>
          this.reader.read(mailbox, session, folder, { status: null }, signal),
        ),
      );
    await reviewViews(listed);
    // A message that has gone from one folder may have come to another that was read before it. The same can happen
    // during the second pass. A message that goes then stays marked, and the next sync decides.
    const missing = new Set(await this.history.findGone(id));
    if (missing.size > 0) {
      const again = await session.list();
      await this.readFolders(mailbox, session, await this.folders.list(id), again, signal);
      await reviewViews(again);
    }
    await this.views.recognizeTwins(id);
    await this.appendHistory(id);
    const ids = [...missing];
    for (let start = 0; start < ids.length; start += RECORDED_AT_ONCE)
      await this.appendHistory(id, ids.slice(start, start + RECORDED_AT_ONCE));
    await this.history.recordSync(id);
    const isSettled =
      missing.size === 0 || (await this.history.findGone(id)).every((each) => missing.has(each));
    return { missing, isSettled };
  }

  /** Reads folders again that may be virtual: they were read before a folder that they show, which has been read since. */
  private async readUndecided(
    mailbox: SyncedMailbox,
    session: ImapSession,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const undecided = (await this.folders.list(mailbox.account.id)).filter(
      (folder) => folder.problem === null && folder.messageCount > 0 && isToBeAskedAgain(folder, session),
    );
    if (undecided.length === 0) return;
    await this.readFolders(mailbox, session, undecided, await session.list(), signal);
  }

  private async readPlaces(
    mailbox: SyncedMailbox,
    session: ImapSession,
    unread: readonly UnreadPlace[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { id } = mailbox.account;
    const byFolder = new Map<string, number[]>();
    for (const { folderId, uid } of unread) pushTo(byFolder, folderId, uid);
    const folders = new Map((await this.folders.list(id)).map((folder) => [folder.id, folder]));
    for (const [folderId, uids] of byFolder) {
      const folder = folders.get(folderId);
      if (!folder) continue;
      try {
        await session.enter(folder.path, folder.uidValidity);
      } catch (error) {
        // The next sync determines what became of the folder.
        if (!(error instanceof FolderMissing)) throw error;
        continue;
      }
      await this.headers.read(mailbox, session, folder, uids, signal);
    }
  }

  /**
   * Writes the label changes of messages whose places have changed to the history.
   * @param gone messages to record as deleted when they have no place
   */
  async appendHistory(accountId: string, gone: readonly string[] = []): Promise<void> {
    for (;;) {
      const recorded = await this.transactions.runRepeatable(async (transaction) => {
        const { lastSeq } = await this.history.lock(accountId, transaction);
        const changed = await this.history.findChanged(accountId, gone, RECORDED_AT_ONCE, transaction);
        const settled = await this.history.storeLabels(accountId, changed, transaction);
        const entries = settled.flatMap((message) => historyEntry(message) ?? []);
        await this.history.append(accountId, lastSeq, entries, transaction);
        return changed.length;
      });
      if (recorded < RECORDED_AT_ONCE) return;
    }
  }

  private runLocked<T>(
    accountId: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.lock.run(['provider', `{${accountId}}`, 'imap-sync'], work, { ...LOCK, signal });
  }

  private async readFolders(
    mailbox: SyncedMailbox,
    session: ImapSession,
    known: readonly ImapFolderEntity[],
    listed: readonly ListedFolder[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const byPath = new Map(listed.map((folder) => [folder.path, folder]));
    const { gmailLabels } = mailbox.server;
    const haveLabelsChanged = gmailLabels && (await this.haveLabelsChanged(known, byPath));
    const unread = await this.places.listFoldersWithUnread(mailbox.account.id);
    for (const folder of known) {
      signal?.throwIfAborted();
      const found = byPath.get(folder.path);
      if (!holdsMessages(folder.role, gmailLabels) || !found || isPaused(folder)) continue;
      const withAllMarks = haveLabelsChanged && folder.role === 'archive';
      const isDue = withAllMarks || unread.has(folder.id);
      await this.skipOnInvalidAnswers(folder, async () => {
        if (found.isOpen) {
          await this.reader.read(mailbox, session, folder, { status: null, withAllMarks }, signal);
          return;
        }
        const now = found.status ?? (await this.statusOf(session, folder));
        const isLimited = now !== null && mayHideMessages(mailbox.server, now.messages);
        // A folder without figures may still be readable.
        if (now === null || isDue || hasChanged(folder, now, session, isLimited))
          await this.reader.read(mailbox, session, folder, { status: now, withAllMarks }, signal);
      });
    }
  }

  /**
   * Reads a folder, and marks it to be skipped for a while if the server's answers about it are invalid. They end the
   * connection, and so the folder costs the mailbox only one.
   */
  private async skipOnInvalidAnswers(folder: ImapFolderEntity, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!isInvalidAnswer(error)) throw error;
      await this.folders.setProblem(folder, 'answer');
      this.logger.warn(
        `Folder ${folder.id} of account ${folder.accountId} is skipped for 15 minutes: invalid server responses`,
      );
      throw unavailable('protocol', error);
    }
  }

  /**
   * Whether the folders of Gmail's labels show other messages than before. Gmail does not document that adding a label
   * changes the mod-sequence of All Mail.
   */
  private async haveLabelsChanged(
    known: readonly ImapFolderEntity[],
    listed: ReadonlyMap<string, ListedFolder>,
  ): Promise<boolean> {
    let haveChanged = false;
    for (const folder of known) {
      const status = listed.get(folder.path)?.status;
      if (!status || holdsMessages(folder.role, true)) continue;
      if (await this.folders.recordStatus(folder, status)) haveChanged = true;
    }
    return haveChanged;
  }

  private async statusOf(session: ImapSession, folder: ImapFolderEntity): Promise<FolderStatus | null> {
    try {
      return await session.status(folder.path);
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      return null;
    }
  }
}

const isInvalidAnswer = (error: unknown): boolean =>
  error instanceof ProviderFailure && (error.reason === 'protocol' || error.reason === 'bad');

const isPaused = ({ problem, problemAt }: ImapFolderEntity): boolean =>
  problem === 'answer' && problemAt !== null && Date.now() - problemAt.getTime() < INVALID_ANSWERS_PAUSE_MS;

function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function historyEntry({
  messageId,
  threadId,
  before,
  after,
  isInitial,
}: ChangedMessage): HistoryEntry | null {
  if (after === null) {
    if (before === null) return null;
    return { messageId, threadId, kind: 'deleted', labels: [], labelsAdded: [], labelsRemoved: [...before] };
  }
  if (before === null) {
    if (isInitial) return null;
    return { messageId, threadId, kind: 'added', labels: after, labelsAdded: [...after], labelsRemoved: [] };
  }
  const labelsAdded = after.filter((label) => !before.includes(label));
  const labelsRemoved = before.filter((label) => !after.includes(label));
  if (labelsAdded.length + labelsRemoved.length === 0) return null;
  return { messageId, threadId, kind: 'labels', labels: after, labelsAdded, labelsRemoved };
}

/**
 * Whether the server's figures of a folder differ from the known ones, or the folder is due to be read.
 * @param isLimited whether the folder may hide messages, so that its count proves nothing
 */
function hasChanged(
  folder: ImapFolderEntity,
  now: FolderStatus,
  session: ImapSession,
  isLimited: boolean,
): boolean {
  if (folder.problem !== null || (now.messages > 0 && isToBeAskedAgain(folder, session))) return true;
  if (folder.uidValidity !== now.uidValidity || folder.uidNext !== now.uidNext) return true;
  if (!isLimited && (!folder.isComplete || folder.messageCount !== now.messages)) return true;
  if (session.has('CONDSTORE') && folder.modseq !== null && now.modseq !== null)
    return folder.modseq !== now.modseq;
  if (folder.unseen !== now.unseen || folder.flagsReadAt === null) return true;
  return Date.now() - folder.flagsReadAt.getTime() > FLAGS_EVERY_MS;
}
