import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import type { ImapFolderRoles } from './login/imap-account.entity';
import { type ImapAccount, ImapAccountsRepository } from './login/imap-accounts.repository';
import { ImapFoldersRepository } from './store/imap-folders.repository';
import type { ImapFolderEntity } from './store/imap-index.entity';
import { ImapIndexReset } from './sync/imap-index-reset';

export type { ImapAccount } from './login/imap-accounts.repository';

/** A folder as the server has listed it. */
export type FoundFolder = Pick<ImapFolderEntity, 'path' | 'delimiter' | 'role' | 'roleSource' | 'problem'>;

/** The servers of mailboxes connected by IMAP, with their folders. */
@Injectable()
export class ImapServersService {
  constructor(
    private readonly accounts: ImapAccountsRepository,
    private readonly folders: ImapFoldersRepository,
    private readonly index: ImapIndexReset,
  ) {}

  /** Finds the server of the user's account; null: it is not the user's, or not connected by IMAP. */
  findOwned(userId: string, accountId: string): Promise<ImapAccount | null> {
    return this.accounts.findOwned(userId, accountId);
  }

  /** Lists the stored folders: INBOX first, then by path. The caller must have checked that the account is the user's. */
  listFolders(accountId: string): Promise<ImapFolderEntity[]> {
    return this.folders.list(accountId);
  }

  /**
   * Stores the server of an account after a login to it has succeeded. Folders are stored too, so that they are shown before
   * the first sync.
   */
  async store(server: ImapAccount, folders: readonly FoundFolder[], transaction: Transaction): Promise<void> {
    const { accountId } = server;
    const before = await this.accounts.lock(accountId, transaction);
    const isSame = before !== null && isSameMailbox(before, server);
    // Only a few messages are compared, so one wrong size of an earlier connection proves more than right ones now.
    const exactSizes = server.exactSizes && (!isSame || before.exactSizes);
    await this.accounts.save({ ...server, exactSizes }, transaction);
    if (before && !isSame) {
      // UIDs of one mailbox are meaningless in another. Ids of messages that both have are the same, as they follow
      // from their content.
      await this.index.reset(accountId, transaction);
    }
    await this.folders.addListed(accountId, folders, transaction);
  }

  /** Stores the roles of folders that the user confirmed. They are applied by the next sync. */
  setRoles(accountId: string, roles: ImapFolderRoles): Promise<void> {
    return this.accounts.setRoles(accountId, roles);
  }
}

/** Ports of one IMAP server: with STARTTLS, and with TLS from the first byte. */
const IMAP_PORTS = [143, 993];

/** Whether both accounts are the same mailbox, in which known UIDs stay valid. */
function isSameMailbox(one: ImapAccount, other: ImapAccount): boolean {
  const isSamePort = one.port === other.port || [one, other].every(({ port }) => IMAP_PORTS.includes(port));
  return (
    isSamePort &&
    one.host === other.host &&
    one.username === other.username &&
    one.gmailLabels === other.gmailLabels
  );
}
