import { Injectable } from '@nestjs/common';
import { ImapAccountsRepository } from '../login/imap-accounts.repository';
import { ImapListingRepository } from './imap-listing.repository';

/** Sizes of messages as their server announces them. */
export interface AnnouncedSizes {
  /** Bytes by message id, of those messages that the mailbox has. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Whether the server announces exact sizes. */
  readonly isExact: boolean;
}

/** Finds the sizes that IMAP servers announce, which a copy is compared with. No server is asked. */
@Injectable()
export class ImapAnnouncedSizes {
  constructor(
    private readonly listing: ImapListingRepository,
    private readonly accounts: ImapAccountsRepository,
  ) {}

  /** The caller must have checked that the account is the user's. */
  async find(accountId: string, messageIds: readonly string[]): Promise<AnnouncedSizes> {
    const listed = await this.listing.find(accountId, messageIds);
    const server = await this.accounts.find(accountId);
    return {
      sizes: new Map(listed.map(({ messageId, size }) => [messageId, size])),
      isExact: server?.exactSizes ?? false,
    };
  }
}
