import { Injectable } from '@nestjs/common';
import type { ArchiveOwner } from '../archive/writing/mail-to-archive';
import { ArchiveWritesRepository } from '../archive/writing/archive-writes.repository';
import { newId } from '../common/database/ids';
import { Transactions } from '../common/database/transactions';
import { EventDispatcher } from '../events/event-dispatcher';
import { DamagedMail, IntegrityFindingsRepository } from './integrity-findings.repository';

/** Mails an event names. */
const MAX_NAMED = 100;

/** Notes what is wrong with archived files, and tells their owner once. */
@Injectable()
export class IntegrityFindingsService {
  constructor(
    private readonly repository: IntegrityFindingsRepository,
    private readonly archive: ArchiveWritesRepository,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /** @returns ids of the mails that are still what they were and so were noted */
  record(owner: ArchiveOwner, damaged: readonly DamagedMail[]): Promise<Set<string>> {
    return this.transactions.run(async (transaction) => {
      // Nobody replaces or removes mail of the account meanwhile.
      if (!(await this.archive.lockArchive(owner, transaction))) return new Set();
      return this.repository.record(owner.accountId, damaged, transaction);
    });
  }

  /** @returns how many of the mails had been found damaged before */
  resolve(owner: ArchiveOwner, mailIds: readonly string[]): Promise<number> {
    return this.repository.resolve(owner.accountId, mailIds);
  }

  /**
   * Tells the owner of everything found since they were last told, in one event. What is told is marked so in the same
   * transaction: a check that crashed before is told of by the next one, and nothing twice.
   * @param checked files hashed in the check
   */
  async tell(owner: ArchiveOwner, checked: number): Promise<void> {
    const { userId, accountId } = owner;
    if (!(await this.repository.hasUntold(accountId))) return;
    await this.transactions.run(async (transaction) => {
      if (!(await this.archive.lockArchive(owner, transaction))) return;
      const { missing, altered, mailIds } = await this.repository.takeUntold(
        accountId,
        MAX_NAMED,
        transaction,
      );
      if (mailIds.length === 0) return;
      const data = { accountId, checked, missing, altered, mailIds };
      const key = `integrity.failed ${newId()}`;
      await this.events.dispatch({ type: 'integrity.failed', key, userId, data }, transaction);
    });
  }
}
