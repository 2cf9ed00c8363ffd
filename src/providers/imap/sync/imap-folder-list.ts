import { Injectable } from '@nestjs/common';
import { Transaction, Transactions } from '../../../platform/database/transactions';
import {
  folderRoles,
  type FolderToJudge,
  type GivenRole,
  gmailFolderRoles,
  holdsMessages,
  labelOf,
  rolesOf,
} from './imap-folder-roles';
import { hiddenFolder } from '../messages/gmail-label-names';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { ImapHistoryRepository } from '../store/imap-history.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import { ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing, type ImapSession, type ListedFolder } from '../session/imap-session';
import { holdsSample } from './same-folder';
import type { SyncedMailbox } from './synced-mailbox';

/** Number of messages by which a renamed folder is recognised. */
const SAMPLE = 20;

/** Keeps the list of a mailbox's folders up to date: new, renamed and deleted ones, and their roles. */
@Injectable()
export class ImapFolderList {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly history: ImapHistoryRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Stores the listed folders. @returns the folders that are known now */
  async updateList(
    { account, server }: SyncedMailbox,
    session: ImapSession,
    listed: readonly ListedFolder[],
  ): Promise<ImapFolderEntity[]> {
    const known = await this.folders.list(account.id);
    const paths = new Set(listed.map(({ path }) => path));
    const missing = known.filter(({ path }) => !paths.has(path));
    const added = listed.filter(({ path }) => known.every((folder) => folder.path !== path));
    const renamed = new Map<string, ListedFolder>();
    for (const folder of missing) {
      const now = server.gmailLabels
        ? findRenamedLabel(folder, listed, known)
        : await this.findRenamed(session, folder, added);
      if (now) renamed.set(folder.id, now);
    }
    let gone = missing.filter(({ id }) => !renamed.has(id));
    if (gone.length > 0) {
      // One listing may have been cut short, so only folders that are missing twice are gone.
      const again = new Set((await session.list()).map(({ path }) => path));
      gone = gone.filter(({ path }) => !again.has(path));
      if (server.gmailLabels) gone = await this.findDeletedLabels(gone);
    }
    const leaving = new Set(gone.map(({ id }) => id));
    const staying = known
      .filter(({ id }) => !leaving.has(id))
      .map((folder): ImapFolderEntity => ({ ...folder, path: renamed.get(folder.id)?.path ?? folder.path }));
    // A folder that one listing left out keeps its role, so that no other gets it.
    const unlisted = staying.filter(({ path }) => !paths.has(path)).map(toListed);
    const roles = server.gmailLabels
      ? gmailFolderRoles(listed)
      : folderRoles([...listed, ...unlisted], server.roles, rolesOf(staying));
    const changed = staying.filter(
      ({ path, role, roleSource }) =>
        paths.has(path) && (roles.get(path)?.role !== role || roles.get(path)?.source !== roleSource),
    );
    const problems = new Map(listed.map(({ path, problem }) => [path, problem ?? null]));
    const unusable = staying.filter(
      ({ path, problem }) => (problems.get(path) ?? null) !== null && problem !== problems.get(path),
    );
    const usable = staying.filter(({ path, problem }) => problem === 'name' && problems.get(path) === null);
    if (added.length + gone.length + renamed.size + changed.length + unusable.length + usable.length === 0)
      return known;
    await this.transactions.runRepeatable(async (transaction) => {
      await this.history.lock(account.id, transaction);
      await this.folders.lockAll(account.id, transaction);
      for (const [id, { path }] of renamed) await this.folders.rename(account.id, id, path, transaction);
      const taken = new Set([...renamed.values()].map(({ path }) => path));
      const news = added.filter(({ path }) => !taken.has(path));
      await this.folders.addListed(
        account.id,
        news.map(({ path, delimiter, problem = null }) => ({
          path,
          delimiter,
          ...roleFrom(roles, path),
          problem,
        })),
        transaction,
      );
      for (const folder of gone) {
        await this.places.remove(folder, undefined, transaction);
        await this.folders.delete(account.id, folder.id, transaction);
      }
      for (const folder of changed) await this.changeRole(folder, roleFrom(roles, folder.path), transaction);
      for (const folder of [...unusable, ...usable])
        await this.folders.setProblem(folder, problems.get(folder.path) ?? null, transaction);
      if (news.length + renamed.size + changed.length + usable.length > 0)
        await this.folders.askAgain(account.id, transaction);
    });
    return this.folders.list(account.id);
  }

  /**
   * Returns the folders whose labels were deleted. At Gmail users can also hide folders from IMAP: their messages, and
   * labels that messages have, still exist.
   * @throws ProviderFailure when All Mail is hidden
   */
  private async findDeletedLabels(folders: readonly ImapFolderEntity[]): Promise<ImapFolderEntity[]> {
    const unused: ImapFolderEntity[] = [];
    for (const folder of folders) {
      const { accountId, labelId, role } = folder;
      if (role === 'archive') throw hiddenFolder(role);
      if (holdsMessages(role, true)) {
        await this.folders.markIncomplete(folder);
        continue;
      }
      const isUsed = role === 'user' && labelId !== null && (await this.places.hasLabel(accountId, labelId));
      if (!isUsed) unused.push(folder);
    }
    return unused;
  }

  private async changeRole(
    folder: ImapFolderEntity,
    { role, roleSource }: Pick<ImapFolderEntity, 'role' | 'roleSource'>,
    transaction: Transaction,
  ): Promise<void> {
    const { accountId, id, path } = folder;
    if (role === folder.role) return this.folders.setRoleSource(accountId, id, roleSource, transaction);
    // The labels of the messages change. A folder that is no longer read has no places.
    if (role === 'ignored') await this.places.remove(folder, undefined, transaction);
    else await this.places.touch(folder, transaction);
    const given = { role, roleSource, labelId: labelOf(path, role) };
    await this.folders.setRole(accountId, id, given, transaction);
  }

  /**
   * Finds the new name of a missing folder. UIDVALIDITY is not unique among folders, so a sample of messages must be
   * the same as well.
   */
  private async findRenamed(
    session: ImapSession,
    folder: ImapFolderEntity,
    added: readonly ListedFolder[],
  ): Promise<ListedFolder | undefined> {
    if (folder.role !== 'user' || folder.uidValidity === 0) return undefined;
    const sample = (await this.places.listUids(folder.id)).slice(-SAMPLE);
    if (sample.length === 0) return undefined;
    const expected = await this.places.findSizes(folder.id, sample);
    for (const candidate of added) {
      if (candidate.status && candidate.status.uidValidity !== folder.uidValidity) continue;
      try {
        await session.enter(candidate.path, folder.uidValidity);
      } catch (error) {
        if (!(error instanceof FolderMissing)) throw error;
        continue;
      }
      const found = await session.fetches.describe(sample[0] as number, sample.at(-1) as number);
      if (holdsSample(expected, found)) return candidate;
    }
    return undefined;
  }
}

/** Describes a known folder that was not listed, with the attributes of its role. */
const toListed = ({ path, delimiter, role, problem }: ImapFolderEntity): FolderToJudge => ({
  path,
  delimiter,
  attributes: role === 'ignored' ? ['\\noselect'] : [],
  ...(problem && { problem }),
});

function roleFrom(
  roles: ReadonlyMap<string, GivenRole>,
  path: string,
): Pick<ImapFolderEntity, 'role' | 'roleSource'> {
  const { role, source } = roles.get(path) ?? { role: 'user', source: 'name' };
  return { role, roleSource: source };
}

/** Finds the new name of a missing label: the only new folder with its UIDVALIDITY, which no other folder had. */
function findRenamedLabel(
  { id, role, uidValidity }: ImapFolderEntity,
  listed: readonly ListedFolder[],
  known: readonly ImapFolderEntity[],
): ListedFolder | undefined {
  if (role !== 'user' || uidValidity === 0) return undefined;
  if (known.some((other) => other.id !== id && other.uidValidity === uidValidity)) return undefined;
  const same = listed.filter(({ status }) => status?.uidValidity === uidValidity);
  return same.length === 1 && known.every(({ path }) => path !== same[0]?.path) ? same[0] : undefined;
}
