import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { newId } from '../../../platform/crypto/ids';
import type { Transaction } from '../../../platform/database/transactions';
import type { ImapAccount } from '../login/imap-accounts.repository';
import { labelOf } from '../sync/imap-folder-roles';
import {
  type FolderProblem,
  type FolderRole,
  type FolderRoleSource,
  ImapFolderEntity,
} from './imap-index.entity';
import type { FolderStatus } from '../session/imap-session';

/** A folder under one UIDVALIDITY. */
export type FolderIdentity = Pick<ImapFolderEntity, 'accountId' | 'id' | 'uidValidity'>;

/** State of a folder that a sync has found. */
export interface FolderProgress {
  readonly uidValidity: number;
  readonly uidNext: number;
  readonly modseq: string | null;
  readonly messageCount: number;
  readonly unseen: number;
  readonly isComplete: boolean;
  readonly isSuspect: boolean;
  readonly flagsReadAt: Date | null;
}

/**
 * Folders of accounts. Every statement is restricted to one account. A transaction locks the state of the history
 * before any folder (`ImapHistoryRepository.lock`), folders in the order of their ids, and messages last.
 */
@Injectable()
export class ImapFoldersRepository extends BaseRepository<ImapFolderEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapFolderEntity);
  }

  /** Lists the folders: INBOX first, then by path. */
  async list(accountId: string, transaction?: Transaction): Promise<ImapFolderEntity[]> {
    const folders = await this.getTable(transaction).find({ where: { accountId } });
    const rank = ({ role }: ImapFolderEntity): number => (role === 'inbox' ? 0 : 1);
    return folders.sort((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  }

  async add(
    folder: {
      accountId: string;
      path: string;
      delimiter: string | null;
      role: FolderRole;
      roleSource: FolderRoleSource;
      labelId: string | null;
      problem: FolderProblem | null;
    },
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO imap_folders (id, account_id, path, delimiter, role, role_source, label_id, problem, problem_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::varchar, CASE WHEN $8::varchar IS NOT NULL THEN now() END)
       ON CONFLICT (account_id, path) DO NOTHING`,
      [
        newId(),
        folder.accountId,
        folder.path,
        folder.delimiter,
        folder.role,
        folder.roleSource,
        folder.labelId,
        folder.problem,
      ],
      transaction,
    );
  }

  /** Adds listed folders. Known ones stay as they are. */
  async addListed(
    accountId: string,
    listed: readonly Pick<ImapFolderEntity, 'path' | 'delimiter' | 'role' | 'roleSource' | 'problem'>[],
    transaction: Transaction,
  ): Promise<void> {
    const known = await this.list(accountId, transaction);
    const labels = new Set(known.flatMap(({ labelId }) => labelId ?? []));
    // The fixed order keeps two transactions that add the same folders from a deadlock.
    for (const folder of [...listed].sort((one, other) => (one.path < other.path ? -1 : 1))) {
      const { path, role } = folder;
      if (known.some((other) => other.path === path)) continue;
      const labelId = labelOf(path, role, labels);
      if (labelId !== null) labels.add(labelId);
      await this.add({ ...folder, accountId, labelId }, transaction);
    }
  }

  async rename(accountId: string, id: string, path: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'UPDATE imap_folders SET path = $3, version = version + 1 WHERE account_id = $1 AND id = $2',
      [accountId, id, path],
      transaction,
    );
  }

  /** Sets the role of a folder. A former view must be read anew. */
  async setRole(
    accountId: string,
    id: string,
    { role, roleSource, labelId }: Pick<ImapFolderEntity, 'role' | 'roleSource' | 'labelId'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE imap_folders
       SET role = $3, role_source = $4, label_id = $5, version = version + 1, view_of = NULL, view_asked_in = 0,
           uid_validity = CASE WHEN role_source = 'view' THEN 0 ELSE uid_validity END,
           modseq = CASE WHEN role_source = 'view' THEN NULL ELSE modseq END
       WHERE account_id = $1 AND id = $2`,
      [accountId, id, role, roleSource, labelId],
      transaction,
    );
  }

  /**
   * Marks a folder as a view, which shows messages of other folders and has no label.
   * @param seen its UIDVALIDITY, the UID up to which the server was asked, and the folder of which it is a second name
   * @returns false when another process has changed the row meanwhile; then nothing was stored
   */
  async setView(
    { accountId, id, version }: Pick<ImapFolderEntity, 'accountId' | 'id' | 'version'>,
    seen: Pick<ImapFolderEntity, 'uidValidity' | 'uidNext' | 'viewOf'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const changed = await this.executeAndCount(
      `UPDATE imap_folders
       SET role = 'ignored', role_source = 'view', label_id = NULL, view_of = $4, uid_validity = $5, uid_next = $6,
           modseq = NULL, is_complete = true, is_suspect = false, version = version + 1
       WHERE account_id = $1 AND id = $2 AND version = $3`,
      [accountId, id, version, seen.viewOf, seen.uidValidity, seen.uidNext],
      transaction,
    );
    return changed > 0;
  }

  /** Notes that the messages of a virtual folder with smaller UIDs lie in other folders that are read. */
  async noteViewAsked(
    { accountId, id, uidValidity }: Pick<ImapFolderEntity, 'accountId' | 'id' | 'uidValidity'>,
    uidNext: number,
  ): Promise<void> {
    await this.execute(
      `UPDATE imap_folders SET uid_next = $4
       WHERE account_id = $1 AND id = $2 AND role_source = 'view' AND uid_validity = $3`,
      [accountId, id, uidValidity, uidNext],
    );
  }

  /** Records that the server is asked whether a folder is virtual. Even without an answer it is not asked again. */
  async noteAsked(
    { accountId, id }: Pick<ImapFolderEntity, 'accountId' | 'id'>,
    uidValidity: number,
  ): Promise<void> {
    await this.execute(
      'UPDATE imap_folders SET view_asked_in = $3, is_view_undecided = false WHERE account_id = $1 AND id = $2',
      [accountId, id, uidValidity],
    );
  }

  /** Records that a folder shows another one that is not read, so that the server is asked again later, see `askAgain`. */
  async noteUndecided(
    { accountId, id }: Pick<ImapFolderEntity, 'accountId' | 'id'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      'UPDATE imap_folders SET is_view_undecided = true WHERE account_id = $1 AND id = $2',
      [accountId, id],
      transaction,
    );
  }

  /**
   * Requests another question about the folders that showed an unread folder, after folders have become known or
   * readable.
   */
  async askAgain(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `WITH undecided AS (
         SELECT id FROM imap_folders WHERE account_id = $1 AND role = 'user' AND is_view_undecided
         ORDER BY id FOR NO KEY UPDATE
       )
       UPDATE imap_folders SET view_asked_in = 0 FROM undecided WHERE imap_folders.id = undecided.id`,
      [accountId],
      transaction,
    );
  }

  async setRoleSource(
    accountId: string,
    id: string,
    source: FolderRoleSource,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      'UPDATE imap_folders SET role_source = $3 WHERE account_id = $1 AND id = $2',
      [accountId, id, source],
      transaction,
    );
  }

  /** Stores the reason for which a folder cannot be read; null: it can. */
  async setProblem(
    { accountId, id }: Pick<ImapFolderEntity, 'accountId' | 'id'>,
    problem: FolderProblem | null,
    transaction?: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE imap_folders SET problem = $3::varchar, problem_at = CASE WHEN $3::varchar IS NOT NULL THEN now() END
       WHERE account_id = $1 AND id = $2`,
      [accountId, id, problem],
      transaction,
    );
  }

  async delete(accountId: string, id: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'DELETE FROM imap_folders WHERE account_id = $1 AND id = $2',
      [accountId, id],
      transaction,
    );
  }

  /**
   * Locks the folder and stores its new state.
   * @param server the server that reported the state
   * @returns false when another process has changed the row, or the account has another server meanwhile; then nothing
   *   was stored
   */
  async advance(
    folder: ImapFolderEntity,
    progress: FolderProgress,
    server: Pick<ImapAccount, 'host' | 'port' | 'username'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const changed = await this.executeAndCount(
      `UPDATE imap_folders
       SET uid_validity = $4, uid_next = $5, modseq = $6, message_count = $7, unseen = $8, is_complete = $9,
           is_suspect = $10, flags_read_at = $11, version = version + 1
       WHERE account_id = $1 AND id = $2 AND version = $3 AND EXISTS (
         SELECT FROM imap_accounts account
         WHERE account.account_id = $1 AND account.host = $12 AND account.port = $13 AND account.username = $14)`,
      [
        folder.accountId,
        folder.id,
        folder.version,
        progress.uidValidity,
        progress.uidNext,
        progress.modseq,
        progress.messageCount,
        progress.unseen,
        progress.isComplete,
        progress.isSuspect,
        progress.flagsReadAt,
        server.host,
        server.port,
        server.username,
      ],
      transaction,
    );
    return changed > 0;
  }

  /** Stores the status of a folder whose messages are read elsewhere. @returns whether it has changed */
  async recordStatus(
    { accountId, id }: ImapFolderEntity,
    { uidValidity, uidNext, modseq, messages, unseen }: FolderStatus,
  ): Promise<boolean> {
    const changed = await this.executeAndCount(
      `UPDATE imap_folders
       SET uid_validity = $3, uid_next = $4, modseq = $5, message_count = $6, unseen = $7, is_complete = true
       WHERE account_id = $1 AND id = $2
         AND (uid_validity, uid_next, message_count, unseen) IS DISTINCT FROM ($3, $4, $6, $7)`,
      [accountId, id, uidValidity, uidNext, modseq, messages, unseen],
    );
    return changed > 0;
  }

  /**
   * Invalidates the known UIDs of a folder, which have proved wrong. The next sync reads the folder anew.
   * @param folder the folder with the UIDVALIDITY under which they proved wrong
   */
  async distrust({ accountId, id, uidValidity }: FolderIdentity): Promise<void> {
    await this.execute(
      `UPDATE imap_folders SET uid_validity = 0, modseq = NULL, is_complete = false, version = version + 1
       WHERE account_id = $1 AND id = $2 AND uid_validity = $3`,
      [accountId, id, uidValidity],
    );
  }

  /** Invalidates the known UIDs of all folders of an account, whose server or mailbox is a different one now. */
  async distrustAll(accountId: string, transaction: Transaction): Promise<void> {
    await this.lockAll(accountId, transaction);
    await this.execute(
      `UPDATE imap_folders SET uid_validity = 0, modseq = NULL, is_complete = false, version = version + 1
       WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** Marks a folder that the server no longer lists, as its known state may be out of date. */
  async markIncomplete({ accountId, id }: ImapFolderEntity): Promise<void> {
    await this.execute('UPDATE imap_folders SET is_complete = false WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
    ]);
  }

  /** Locks all folders of an account. */
  async lockAll(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'SELECT 1 FROM imap_folders WHERE account_id = $1 ORDER BY id FOR UPDATE',
      [accountId],
      transaction,
    );
  }

  /**
   * Locks several folders against changes, in the order of their ids.
   * @returns false when `hold` returns false for one of them
   */
  async holdAll(folders: readonly FolderIdentity[], transaction: Transaction): Promise<boolean> {
    const inOrder = [...folders].sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const folder of inOrder) if (!(await this.hold(folder, transaction))) return false;
    return true;
  }

  /**
   * Locks a folder against changes until the transaction ends.
   * @returns false when it has another UIDVALIDITY now or is a view
   */
  async hold(folder: FolderIdentity, transaction: Transaction): Promise<boolean> {
    const held = await this.queryRows(
      {},
      "SELECT 1 FROM imap_folders WHERE account_id = $1 AND id = $2 AND uid_validity = $3 AND role_source <> 'view' FOR SHARE",
      [folder.accountId, folder.id, folder.uidValidity],
      transaction,
    );
    return held.length > 0;
  }
}
