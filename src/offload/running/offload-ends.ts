import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../mailbox/mailbox-accounts.service';
import { OffloadPlansRepository } from '../plans/offload-plans.repository';
import { OffloadRunner } from './offload-runner';

const BATCH = 100;

/** Ends plans that were stopped in the middle and not confirmed again in time: what was moved gets its receipt. */
@Injectable()
export class OffloadEnds {
  constructor(
    private readonly plans: OffloadPlansRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly runner: OffloadRunner,
  ) {}

  /** @returns how many */
  async endExpired(): Promise<number> {
    let ended = 0;
    for (;;) {
      const expired = await this.plans.expiredUnended(BATCH);
      for (const { id, ...owner } of expired) {
        const { email } = await this.accounts.owned(owner.userId, owner.accountId);
        await this.runner.end(owner, id, email);
        ended += 1;
      }
      if (expired.length < BATCH) return ended;
    }
  }
}
