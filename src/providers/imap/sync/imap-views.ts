import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { ProviderFailure } from '../../gateway/provider-call';
import { unavailable } from '../session/imap-failures';
import { labelOf } from './imap-folder-roles';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { ImapHistoryRepository } from '../store/imap-history.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing, type ImapSession, type ListedFolder, type OpenFolder } from '../session/imap-session';
import type { SyncedMailbox } from './synced-mailbox';
import { twinCandidates } from './twin-folders';

/** Most messages whose folders are requested in one command. */
const WINDOW = 20_000;

interface Figures {
  readonly uidValidity: number;
  readonly uidNext: number;
  readonly messages: number;
}

/**
 * Recognises views: folders that show the messages of other folders. A view has no places and no label, and is never
 * written to. Its messages are known in the folders where they lie.
 */
@Injectable()
export class ImapViews {
  private readonly logger = new Logger(ImapViews.name);

  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly history: ImapHistoryRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Marks folders as views that are second names of others, with the same messages under the same UIDs. */
  async recognizeTwins(accountId: string): Promise<void> {
    const candidates = twinCandidates(await this.folders.list(accountId));
    for (const { original, twin } of candidates) {
      const isTwin = await this.transactions.runRepeatable(async (transaction) => {
        await this.history.lock(accountId, transaction);
        if (!(await this.folders.holdAll([original, twin], transaction))) return false;
        if (!(await this.places.haveSameMessages(accountId, original.id, twin.id, transaction))) return false;
        if (!(await this.folders.setView(twin, { ...twin, viewOf: original.id }, transaction))) return false;
        await this.places.remove(twin, undefined, transaction);
        return true;
      });
      if (isTwin)
        this.logger.log(`Folder ${twin.id} of account ${accountId} is another name for ${original.id}`);
    }
  }

  /**
   * Asks Dovecot whether an open folder is virtual, i.e. all its messages lie in other folders that have been read. It
   * is asked once for each UIDVALIDITY, and again after it named an unread folder and folders have become known.
   * @returns whether the folder is a view from now on
   */
  async recognizeVirtual(
    { account, server }: SyncedMailbox,
    session: ImapSession,
    folder: ImapFolderEntity,
    open: OpenFolder,
  ): Promise<boolean> {
    const isDue = folder.role === 'user' && open.exists > 0 && folder.viewAskedIn !== open.uidValidity;
    if (!isDue || server.gmailLabels || !session.isDovecot) return false;
    // Recorded before the question, so that a server that fails on it is not asked again.
    await this.folders.noteAsked(folder, open.uidValidity);
    const home = await this.findHomeApart(session, folder, open).catch((error: unknown) => {
      throw isTakenAmiss(error) ? unavailable('connection', error) : error;
    });
    if (home !== undefined) {
      if (home !== null && home !== folder.path) await this.noteUndecided(folder, home);
      return false;
    }
    const isView = await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(account.id, transaction);
      const seen = { uidValidity: open.uidValidity, uidNext: 1, viewOf: null };
      if (!(await this.folders.setView(folder, seen, transaction))) return false;
      await this.places.remove(folder, undefined, transaction);
      return true;
    });
    if (isView) this.logger.log(`Folder ${folder.id} of account ${account.id} is a virtual one`);
    return isView;
  }

  /**
   * Compares views with the folders that they show, and asks the server about new messages of virtual folders, which
   * may lie in no folder that is read. Views that differ become ordinary folders again and are read anew.
   * @param readAgain reads a folder again, since a message may have arrived between the figures of two folders
   */
  async review(
    accountId: string,
    session: ImapSession,
    listed: readonly ListedFolder[],
    readAgain: (folder: ImapFolderEntity) => Promise<void>,
  ): Promise<void> {
    const find = async (id: string | null): Promise<ImapFolderEntity | undefined> =>
      (await this.folders.list(accountId)).find((folder) => folder.id === id);
    const views = (await this.folders.list(accountId)).filter(({ roleSource }) => roleSource === 'view');
    for (const view of views) {
      const found = listed.find(({ path }) => path === view.path);
      let original = await find(view.viewOf);
      const isOrphan = view.viewOf !== null && !original;
      // A folder that is not listed may be gone, which two listings decide.
      if (!found && !isOrphan) continue;
      let now = found?.status ?? (await this.readFigures(session, view.path, found?.isOpen ?? false));
      if (now === null && !isOrphan) continue;
      if (!isOrphan && now && isStillView(view, original, now)) {
        if (!(await this.isToBeAsked(view, now)) || (await this.showsReadFolders(session, view))) continue;
      }
      if (original) {
        await readAgain(original);
        original = await find(view.viewOf);
        now = await this.readFigures(session, view.path, session.isOpen(view.path));
        if (now === null || isStillView(view, original, now)) continue;
      }
      await this.endView(view);
      const ordinary = await find(view.id);
      if (ordinary) await readAgain(ordinary);
    }
  }

  /**
   * Whether to ask about what has come to a virtual folder since it was asked about: when a message is missing, or there is
   * a folder that cannot be read, it may lie where only this folder shows it. What earlier versions took for a virtual folder
   * is asked about once.
   */
  private async isToBeAsked(
    { accountId, viewOf, uidNext }: ImapFolderEntity,
    now: Figures,
  ): Promise<boolean> {
    if (viewOf !== null || now.uidNext <= uidNext) return false;
    if (uidNext === 0 || (await this.history.hasGone(accountId))) return true;
    return (await this.folders.list(accountId)).some(isUnread);
  }

  /** Whether what has come to a virtual folder lies in other folders that are read. */
  private async showsReadFolders(session: ImapSession, view: ImapFolderEntity): Promise<boolean> {
    if (!session.isDovecot) return false;
    try {
      const { folder: open } = await session.open(view.path);
      if (open.uidValidity !== view.uidValidity) return false;
      if (view.uidNext === 0) {
        if ((await this.findHomeApart(session, view, open)) !== undefined) return false;
        await this.folders.noteViewAsked(view, 1);
        return true;
      }
      const homes = await this.homesSince(session, view, open);
      const folders = await this.folders.list(view.accountId);
      const read = readFolders(folders, view.path);
      if ([...homes].some((home) => home === null || !read.has(home))) return false;
      const shown = folders.filter(({ path }) => homes.has(path));
      if (await this.areReadToEnd(session, shown)) await this.folders.noteViewAsked(view, open.uidNext);
      return true;
    } catch (error) {
      // The next sync learns what became of it.
      if (error instanceof FolderMissing) return true;
      if (!isTakenAmiss(error)) throw error;
      // It is read like a folder from the next sync on.
      await this.endView(view);
      throw unavailable('connection', error);
    }
  }

  /** Records that a folder can be read, so that a virtual folder may show it. */
  async makeReadable(folder: ImapFolderEntity): Promise<void> {
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(folder.accountId, transaction);
      await this.folders.lockAll(folder.accountId, transaction);
      await this.folders.setProblem(folder, null, transaction);
      await this.folders.askAgain(folder.accountId, transaction);
    });
  }

  /**
   * Requests another question about the folders that showed an unread folder. It runs before the transaction that
   * stores a first read, so that an interruption between the two costs one question more and loses none.
   */
  async askAgain(accountId: string): Promise<void> {
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(accountId, transaction);
      await this.folders.askAgain(accountId, transaction);
    });
  }

  /** Records that a folder shows an unread folder. */
  private async noteUndecided(folder: ImapFolderEntity, home: string): Promise<void> {
    const { accountId, path } = folder;
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(accountId, transaction);
      await this.folders.lockAll(accountId, transaction);
      await this.folders.noteUndecided(folder, transaction);
      // The unread folder may have become known since the server was asked.
      if (readFolders(await this.folders.list(accountId, transaction), path).has(home))
        await this.folders.askAgain(accountId, transaction);
    });
  }

  private async endView(view: ImapFolderEntity): Promise<void> {
    const { accountId, id, path } = view;
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(accountId, transaction);
      const others = (await this.folders.list(accountId, transaction)).filter((folder) => folder.id !== id);
      const labelId = labelOf(path, 'user', new Set(others.flatMap((folder) => folder.labelId ?? [])));
      await this.folders.setRole(accountId, id, { role: 'user', roleSource: 'name', labelId }, transaction);
      await this.folders.askAgain(accountId, transaction);
    });
    this.logger.log(`Folder ${id} of account ${accountId} is no longer a view; reading it again`);
  }

  private async readFigures(session: ImapSession, path: string, isOpen: boolean): Promise<Figures | null> {
    try {
      // STATUS of the open folder only repeats what the server has already reported.
      if (!isOpen) return await session.status(path);
      const { folder } = await session.open(path);
      return { ...folder, messages: folder.exists };
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      return null;
    }
  }

  /**
   * Finds a message that does not lie in another folder that has been read. The first message is requested alone.
   * @returns the folder that the server named for it, null when it named none; undefined when all lie in such folders
   */
  private async findHomeApart(
    session: ImapSession,
    { accountId, path }: ImapFolderEntity,
    { exists }: OpenFolder,
  ): Promise<string | null | undefined> {
    if (exists === 0) return undefined;
    const read = readFolders(await this.folders.list(accountId), path);
    const findApart = async (from: number, to: number): Promise<string | null | undefined> => {
      const homes = await session.fetchHomesByNumber(from, to);
      const apart = homes.find((home) => home === null || !read.has(home));
      return apart === undefined && homes.length !== to - from + 1 ? null : apart;
    };
    const first = await findApart(1, 1);
    if (first !== undefined) return first;
    for (let from = 1; from <= exists; from += WINDOW) {
      const apart = await findApart(from, Math.min(exists, from + WINDOW - 1));
      if (apart !== undefined) return apart;
    }
    return undefined;
  }

  /** The folders in which messages lie that have come since the view was last asked about; null: one that is not told. */
  private async homesSince(
    session: ImapSession,
    { uidNext }: ImapFolderEntity,
    open: OpenFolder,
  ): Promise<ReadonlySet<string | null>> {
    const found = new Set<string | null>();
    for (let from = uidNext; from < open.uidNext; from += WINDOW) {
      const homes = await session.fetchHomesByUid(from, Math.min(open.uidNext, from + WINDOW) - 1);
      for (const home of homes) found.add(home);
    }
    return found;
  }

  /**
   * Whether nothing has come to folders since they were read. What has come may turn out to be in a folder that cannot be
   * opened any more: the view is then asked about it again.
   */
  private async areReadToEnd(session: ImapSession, folders: readonly ImapFolderEntity[]): Promise<boolean> {
    for (const { path, uidValidity, uidNext } of folders) {
      const now = await this.readFigures(session, path, false);
      if (now?.uidValidity !== uidValidity || now.uidNext !== uidNext) return false;
    }
    return true;
  }
}

/** A server that does not understand the question has answered it with BAD. */
const isTakenAmiss = (error: unknown): boolean => error instanceof ProviderFailure && error.reason === 'bad';

/** Whether the messages of a folder are not known, so that only a virtual one may show them. */
const isUnread = ({ role, roleSource, problem, uidValidity }: ImapFolderEntity): boolean =>
  roleSource !== 'view' && (problem !== null || (role !== 'ignored' && uidValidity === 0));

/**
 * Returns the paths of the folders that have been read, except for one. Folders that are only listed are left out: the
 * server may refuse to open them, and then their messages would be shown nowhere.
 */
const readFolders = (folders: readonly ImapFolderEntity[], except: string): Set<string> =>
  new Set(
    folders
      .filter(({ role, problem, uidValidity }) => role !== 'ignored' && problem === null && uidValidity > 0)
      .map(({ path }) => path)
      .filter((path) => path !== except),
  );

/** Whether the server must be asked again whether a folder is virtual, even if the folder has not changed. */
export const isToBeAskedAgain = (
  { role, isViewUndecided, viewAskedIn }: ImapFolderEntity,
  session: ImapSession,
): boolean => role === 'user' && isViewUndecided && viewAskedIn === 0 && session.isDovecot;

/** Whether a view still shows the same folders. A second name must have the figures of the folder itself. */
function isStillView(view: ImapFolderEntity, original: ImapFolderEntity | undefined, now: Figures): boolean {
  if (view.uidValidity !== now.uidValidity) return false;
  if (view.viewOf === null) return true;
  if (!original || original.role === 'ignored' || original.problem === 'closed') return false;
  if (original.uidValidity !== now.uidValidity) return false;
  // The known state of the folder is not that of the server, so the comparison proves nothing.
  if (!original.isComplete || original.isSuspect) return true;
  const hasUidNext = now.uidNext > 0;
  return original.messageCount === now.messages && (!hasUidNext || original.uidNext === now.uidNext);
}
