import { Injectable } from '@nestjs/common';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import type { Transaction } from '../../../platform/database/transactions';
import { OutdatedMailsRepository } from './outdated-mails.repository';

/** Name of the task that reads mails again. */
export const REREAD_MAILS_CHORE = 'reread_mails';

/** Makes mails be read again whose rows or words are not what their files say. */
@Injectable()
export class OutdatedMarks {
  constructor(
    private readonly outdated: OutdatedMailsRepository,
    private readonly maintenance: AccountMaintenance,
  ) {}

  /**
   * Makes plain mails be read again soon.
   * @param transaction has locked the account's archive
   * @returns their number
   */
  async markOutdated(
    accountId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<number> {
    const marked = await this.outdated.markOutdated(accountId, mailIds, transaction);
    if (marked > 0) await this.maintenance.makeDue(REREAD_MAILS_CHORE, accountId, transaction);
    return marked;
  }
}
