import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { GmailLabelIds } from '../messages/gmail-label-ids';
import { type DescribedMessage, type MessageMarks, type ReadHeader } from '../session/imap-fetches';
import { type FolderProgress, ImapFoldersRepository } from '../store/imap-folders.repository';
import { HEADERS_AT_ONCE, ImapHeaders } from '../messages/imap-headers';
import { isSameMessage } from '../writes/imap-message-check';
import { ImapHistoryRepository } from '../store/imap-history.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { ImapPlacesRepository } from '../store/imap-places.repository';
import { mayHideMessages } from '../login/imap-limits';
import { ImapViews } from './imap-views';
import {
  FolderMissing,
  type FolderStatus,
  type ImapSession,
  type OpenFolder,
  type Resync,
} from '../session/imap-session';
import type { SyncedMailbox } from './synced-mailbox';

/** Most messages that one command describes. */
const WINDOW = 20_000;
/** Number of new messages above which the history invalidates its cursors, so that readers list and compare. */
const MAX_ARRIVALS = 10_000;
/** Most UIDs of new messages that are held in memory while their headers are read. */
const UNREAD_AT_ONCE = 4 * HEADERS_AT_ONCE;
/** Number of messages above which a folder must not lose more than half of them at once without confirmation. */
const SMALL_FOLDER = 20;

/** Number of known messages that are compared when new ones have arrived. */
const SAMPLE = 3;

/** Options of reading a folder. */
export interface FolderLook {
  /** Figures from LIST or STATUS; null: not requested. */
  readonly status: FolderStatus | null;
  /** Whether to read flags and labels of all messages even if the mod-sequence has not changed. */
  readonly withAllMarks?: boolean;
}

interface OpenedFolder {
  readonly open: OpenFolder;
  readonly resync: Resync | null;
  readonly unseen: number;
  readonly withAllMarks: boolean;
}

/** Reads the changes of a folder; all of it the first time and when its UIDVALIDITY has changed. */
@Injectable()
export class ImapFolderReader {
  private readonly logger = new Logger(ImapFolderReader.name);

  constructor(
    private readonly labelIds: GmailLabelIds,
    private readonly headers: ImapHeaders,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly history: ImapHistoryRepository,
    private readonly transactions: Transactions,
    private readonly views: ImapViews,
  ) {}

  async read(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    { status, withAllMarks = false }: FolderLook,
    signal?: AbortSignal,
  ): Promise<void> {
    let opened: Awaited<ReturnType<ImapSession['open']>>;
    try {
      const { uidValidity, modseq } = folder;
      opened = await session.open(
        folder.path,
        modseq !== null && uidValidity > 0 && folder.isComplete ? { uidValidity, modseq } : undefined,
      );
    } catch (error) {
      // The folder was deleted, or may not be opened. Its messages do not count as gone before LIST confirms it.
      if (!(error instanceof FolderMissing)) throw error;
      if (folder.problem !== 'closed') {
        this.logger.warn(`Folder ${folder.id} of account ${folder.accountId} cannot be opened`);
        await this.folders.setProblem(folder, 'closed');
      }
      return;
    }
    if (folder.problem !== null) await this.views.makeReadable(folder);
    if (await this.views.recognizeVirtual(mailbox, session, folder, opened.folder)) return;
    const { resync } = opened;
    const open = await this.completeUidNext(session, opened.folder, status);
    const isSame = open.uidValidity === folder.uidValidity;
    if (isSame && goesBack(folder, opened.folder, status))
      this.logger.warn(
        `A folder of account ${folder.accountId} has gone back to an earlier state; reading it again`,
      );
    else if (isSame) {
      await this.readChanges(
        mailbox,
        session,
        folder,
        { open, resync, unseen: status?.unseen ?? folder.unseen, withAllMarks },
        signal,
      );
      return;
    }
    await this.readAnew(mailbox, session, folder, { open, unseen: status?.unseen ?? 0 }, signal);
  }

  /**
   * Completes UIDNEXT, which Courier leaves out of its answer to SELECT. STATUS reported it a moment ago; messages that
   * arrived since are found by the count. Without STATUS the last message has the highest UID.
   */
  private async completeUidNext(
    session: ImapSession,
    open: OpenFolder,
    status: FolderStatus | null,
  ): Promise<OpenFolder> {
    if (open.uidNext > 0) return open;
    if (status !== null && status.uidValidity === open.uidValidity)
      return { ...open, uidNext: status.uidNext };
    if (open.exists === 0) return open;
    const last = await session.fetches.fetchUidsByNumber(open.exists, open.exists);
    return { ...open, uidNext: (last.at(-1) ?? 0) + 1 };
  }

  /** Reads a whole folder by sequence numbers, the first time and when its UIDVALIDITY has changed. */
  private async readAnew(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    { open, unseen }: Pick<OpenedFolder, 'open' | 'unseen'>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const found = await this.readEverything(session, open);
    const isKnown = folder.uidValidity > 0;
    const tooMany = found.length > MAX_ARRIVALS;
    // The history has no entries for messages that were there when the mailbox was connected, but has them for messages
    // of folders that appear later.
    const isInitial = isKnown ? false : tooMany || !(await this.history.isSynced(folder.accountId));
    const isComplete = found.length === open.exists && !mayHideMessages(mailbox.server, open.exists);
    const labelled = await this.resolveLabels(mailbox, found);
    const progress: FolderProgress = {
      uidValidity: open.uidValidity,
      uidNext: Math.max(open.uidNext, (found.at(-1)?.uid ?? 0) + 1),
      modseq: open.modseq,
      messageCount: found.length,
      unseen,
      isComplete,
      isSuspect: false,
      flagsReadAt: new Date(),
    };
    if (!isKnown) await this.views.askAgain(folder.accountId);
    await this.transactions.runRepeatable(async (transaction) => {
      if (tooMany) await this.history.lock(folder.accountId, transaction);
      if (!(await this.folders.advance(folder, progress, mailbox.server, transaction))) return;
      if (isComplete) await this.places.remove(folder, undefined, transaction);
      else await this.places.removeUnproved(folder, transaction);
      for (let start = 0; start < found.length; start += WINDOW) {
        await this.places.add(folder, labelled.slice(start, start + WINDOW), isInitial, transaction);
      }
      if (tooMany) await this.history.forget(folder.accountId, transaction);
    });
    // Messages with new UIDs must be identified before any message counts as gone.
    if (!isInitial) await this.readUnread(mailbox, session, { ...folder, ...progress }, signal);
  }

  private async readEverything(session: ImapSession, open: OpenFolder): Promise<DescribedMessage[]> {
    const found: DescribedMessage[] = [];
    for (let from = 1; from <= open.exists; from += WINDOW) {
      found.push(...(await session.fetches.describeByNumber(from, Math.min(open.exists, from + WINDOW - 1))));
    }
    return found.sort((one, other) => one.uid - other.uid);
  }

  private async readChanges(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    { open, resync, unseen, withAllMarks }: OpenedFolder,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const arrived = await this.readArrivals(session, folder, open);
    if (arrived.isRenumbered) {
      this.logger.warn(`Known UIDs of a folder of account ${folder.accountId} belong to other messages`);
      await this.readAnew(mailbox, session, folder, { open, unseen }, signal);
      return;
    }
    const known = new Set(await this.places.listUids(folder.id));
    const there = new Set([...known, ...arrived.described.map(({ uid }) => uid)]);
    const vanished = new Set(findVanished(resync, there));
    let isComplete = there.size - vanished.size === open.exists;
    const isLimited = mayHideMessages(mailbox.server, open.exists);
    if (!isComplete && !isLimited) {
      // The server's own list decides, if it is complete. A gap without a report proves nothing.
      const listed = await this.listUids(session, open);
      vanished.clear();
      isComplete = listed.size === open.exists;
      if (isComplete) for (const uid of there) if (!listed.has(uid)) vanished.add(uid);
      const missing = [...listed].filter((uid) => !there.has(uid));
      for (const found of await this.describeAll(session, missing)) {
        arrived.described.push(found);
        there.add(found.uid);
      }
      isComplete &&= there.size - vanished.size === open.exists;
    }
    if (isLimited) {
      // New messages may have pushed those out that the folder no longer shows.
      vanished.clear();
      isComplete = false;
    }
    const isSuspect =
      isComplete && vanished.size > known.size / 2 && known.size > SMALL_FOLDER && !folder.isSuspect;
    if (isSuspect) {
      this.logger.warn(
        `More than half of a folder of account ${folder.accountId} seems gone; checking again`,
      );
      vanished.clear();
    }
    const marks = await this.readChangedMarks(session, folder, { open, resync, withAllMarks });
    const labelIds = await this.labelIds.loadLookup(folder.accountId, marks.found.values());
    const labelled = await this.resolveLabels(mailbox, arrived.described);
    const progress: FolderProgress = {
      uidValidity: open.uidValidity,
      uidNext: Math.max(folder.uidNext, open.uidNext, ...lastOf(arrived.described)),
      // While vanished messages are not applied, the state is not that of the server, and the next sync must read
      // again.
      modseq: (isComplete || isLimited) && !isSuspect ? open.modseq : folder.modseq,
      messageCount: there.size - vanished.size,
      unseen,
      isComplete: isComplete && !isSuspect,
      isSuspect,
      flagsReadAt: marks.isWhole ? new Date() : folder.flagsReadAt,
    };
    const tooMany = arrived.described.length > MAX_ARRIVALS;
    const written = await this.transactions.runRepeatable(async (transaction) => {
      if (tooMany) await this.history.lock(folder.accountId, transaction);
      if (!(await this.folders.advance(folder, progress, mailbox.server, transaction))) return false;
      await this.places.add(folder, labelled, tooMany, transaction);
      await this.places.setFlags(
        folder,
        mapValues(marks.found, ({ flags }) => flags),
        transaction,
      );
      if (mailbox.server.gmailLabels)
        await this.places.setLabels(
          folder,
          mapValues(marks.found, ({ labels }) => labelIds(labels)),
          transaction,
        );
      await this.places.remove(folder, [...vanished], transaction);
      if (tooMany) await this.history.forget(folder.accountId, transaction);
      return true;
    });
    // Another connection must confirm the loss, so this one is closed.
    if (isSuspect) session.close();
    if (!written || tooMany || isSuspect) return;
    const now = { ...folder, ...progress };
    // Some headers were read together with the UIDs.
    if (arrived.headers.length > 0) await this.headers.store(mailbox, now, arrived.headers);
    await this.readUnread(mailbox, session, now, signal);
  }

  /** Reads the messages that arrived since; few ones in one command with their headers. */
  private async readArrivals(
    session: ImapSession,
    folder: ImapFolderEntity,
    open: OpenFolder,
  ): Promise<{ described: DescribedMessage[]; headers: ReadHeader[]; isRenumbered?: boolean }> {
    if (open.uidNext <= folder.uidNext) return { described: [], headers: [] };
    const [from, to] = [Math.max(1, folder.uidNext), open.uidNext - 1];
    // Messages that we added ourselves are known already.
    const known = await this.places.listUidsFrom(folder.id, from);
    if (known.length > 0 && known.length === to - from + 1) return { described: [], headers: [] };
    if (known.length === 0 && to - from < HEADERS_AT_ONCE) {
      // The newest known messages are read as well, since a server may assign UIDs again without notice.
      const sample = new Map(
        (await this.places.findNewest(folder.id, SAMPLE)).map((place) => [place.uid, place]),
      );
      const found = await session.fetches.fetchHeadersBetween(from, to, [...sample.keys()]);
      const isRenumbered = found.some((header) => {
        const place = sample.get(header.uid);
        return place !== undefined && !isSameMessage(place, header);
      });
      const headers = found.filter(({ uid }) => uid >= from);
      return { described: headers.map(({ described }) => described), headers, isRenumbered };
    }
    return { described: await session.fetches.describe(from, to), headers: [] };
  }

  private async listUids(session: ImapSession, open: OpenFolder): Promise<Set<number>> {
    const listed = new Set<number>();
    for (let from = 1; from <= open.exists; from += WINDOW) {
      for (const uid of await session.fetches.fetchUidsByNumber(
        from,
        Math.min(open.exists, from + WINDOW - 1),
      ))
        listed.add(uid);
    }
    return listed;
  }

  private async describeAll(session: ImapSession, uids: readonly number[]): Promise<DescribedMessage[]> {
    if (uids.length === 0) return [];
    const wanted = new Set(uids);
    const sorted = [...uids].sort((one, other) => one - other);
    const found = await session.fetches.describe(sorted[0] as number, sorted.at(-1) as number);
    return found.filter(({ uid }) => wanted.has(uid));
  }

  /** Returns the messages with ids of labels in place of names. */
  private async resolveLabels(
    { account, server }: SyncedMailbox,
    messages: readonly DescribedMessage[],
  ): Promise<readonly DescribedMessage[]> {
    if (!server.gmailLabels) return messages;
    const ids = await this.labelIds.loadLookup(account.id, messages);
    return messages.map((message) => ({ ...message, labels: ids(message.labels) }));
  }

  private async readChangedMarks(
    session: ImapSession,
    folder: ImapFolderEntity,
    { open, resync, withAllMarks }: Omit<OpenedFolder, 'unseen'>,
  ): Promise<{ found: ReadonlyMap<number, MessageMarks>; isWhole: boolean }> {
    if (resync) return { found: mapValues(resync.flags, (flags) => ({ flags, labels: [] })), isWhole: false };
    const last = Math.max(folder.uidNext, open.uidNext) - 1;
    if (last < 1 || open.exists === 0) return { found: new Map(), isWhole: true };
    if (session.has('CONDSTORE') && folder.modseq !== null && open.modseq !== null) {
      if (folder.modseq === open.modseq && withAllMarks)
        return { found: await session.fetches.fetchMarks(1, last), isWhole: true };
      if (folder.modseq === open.modseq) return { found: new Map(), isWhole: false };
      return { found: await session.fetches.fetchMarks(1, last, folder.modseq), isWhole: false };
    }
    return { found: await session.fetches.fetchMarks(1, last), isWhole: true };
  }

  /** Reads the headers of new messages, including those that an earlier sync did not reach. */
  private async readUnread(
    mailbox: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let after = 0; ;) {
      const unread = await this.places.findUnread(folder, after, UNREAD_AT_ONCE);
      await this.headers.read(mailbox, session, folder, unread, signal);
      if (unread.length < UNREAD_AT_ONCE) return;
      after = unread.at(-1)!;
    }
  }
}

/**
 * Whether a folder is back at an earlier state under the same UIDVALIDITY, as after a server is restored from a backup
 * with its list of UIDs. Then UIDs assigned since may be assigned again to other messages.
 */
function goesBack(known: ImapFolderEntity, open: OpenFolder, status: FolderStatus | null): boolean {
  const uidNext =
    open.uidNext === 0 && status?.uidValidity === open.uidValidity ? status.uidNext : open.uidNext;
  if (uidNext > 0 && uidNext < known.uidNext) return true;
  return known.modseq !== null && open.modseq !== null && BigInt(open.modseq) < BigInt(known.modseq);
}

const mapValues = <K, V, W>(map: ReadonlyMap<K, V>, change: (value: V) => W): Map<K, W> =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

/** Returns the known UIDs that the server reports as vanished. It may report millions of others too. */
function findVanished(resync: Resync | null, known: ReadonlySet<number>): number[] {
  if (!resync) return [];
  const ranges = resync.vanished
    .join(',')
    .split(',')
    .flatMap((part): [number, number][] => {
      const [from, to = from] = part.split(':').map(Number);
      return from && to ? [[Math.min(from, to), Math.max(from, to)]] : [];
    })
    .sort(([one], [other]) => one - other);
  const vanished: number[] = [];
  let at = 0;
  for (const uid of [...known].sort((one, other) => one - other)) {
    while (at < ranges.length && (ranges[at] as [number, number])[1] < uid) at += 1;
    const range = ranges[at];
    if (!range) break;
    if (range[0] <= uid) vanished.push(uid);
  }
  return vanished;
}

const lastOf = (found: readonly DescribedMessage[]): number[] => {
  const last = found.reduce((most, { uid }) => Math.max(most, uid), 0);
  return last > 0 ? [last + 1] : [];
};
