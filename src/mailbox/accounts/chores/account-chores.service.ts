import { Injectable, Logger } from '@nestjs/common';
import { withLogContext } from '../../../common/logging/log-context';
import type { ProviderAccount } from '../../providers/mailbox-provider.port';
import { AccountChoresRepository } from './account-chores.repository';

/** Accounts taken at a time: short, so that processes share the work. */
const BATCH = 20;
const CONCURRENCY = 4;

export interface Chore {
  /** Stored; never renamed. */
  readonly name: string;
  readonly everySeconds: number;
  /** What fails is logged and due again after the same time. */
  readonly perform: (account: ProviderAccount) => Promise<void>;
}

/**
 * Small things done for every usable account at regular intervals. They are no jobs: people would find hundreds of
 * them in their list every day. The table says what is due, so any number of processes may call.
 */
@Injectable()
export class AccountChores {
  private readonly logger = new Logger(AccountChores.name);

  constructor(private readonly repository: AccountChoresRepository) {}

  /** Performs the chore for all accounts for which it is due. @returns how many that were */
  async performDue(chore: Chore): Promise<number> {
    await this.repository.addMissing(chore.name);
    let done = 0;
    for (;;) {
      const accounts = await this.repository.claimDue(chore.name, chore.everySeconds, BATCH);
      const waiting = [...accounts];
      const work = async (): Promise<void> => {
        for (let account = waiting.shift(); account; account = waiting.shift())
          await this.perform(chore, account);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      done += accounts.length;
      if (accounts.length < BATCH) return done;
    }
  }

  /** One account's trouble must not keep the others waiting. */
  private async perform(chore: Chore, account: ProviderAccount): Promise<void> {
    await withLogContext({ userId: account.userId, accountId: account.id }, async () => {
      try {
        await chore.perform(account);
      } catch (error) {
        this.logger.warn(`${chore.name} failed, due again later: ${String(error)}`);
      }
    });
  }
}
