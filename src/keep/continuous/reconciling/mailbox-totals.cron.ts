import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { MailboxCheck } from './mailbox-check';

const EVERY_SECONDS = 60 * 60;

/** Compares the count of every mailbox that is kept with its ledger, and reads its labels, every hour. */
@Injectable()
export class MailboxTotalsCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly check: MailboxCheck,
  ) {}

  @Cron('*/5 * * * *', { name: 'check-mailbox-totals', waitForCompletion: true })
  async checkDue(): Promise<void> {
    await this.maintenance.performDue({
      name: 'check_mailbox_totals',
      everySeconds: EVERY_SECONDS,
      perform: (account, signal) => this.check.perform(account, signal),
    });
  }
}
