import { Injectable } from '@nestjs/common';
import type { ArchiveOwner } from '../../archive/mails/writing/mail-to-archive';
import { LedgerService } from '../continuous/ledger/ledger.service';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { newId } from '../../platform/crypto/ids';
import type { StoredMail } from '../../archive/mails/stored-mails';
import { Transactions } from '../../platform/database/transactions';
import { EventDispatcher } from '../../platform/events/event-dispatcher';
import { DamagedMail, type Finding, IntegrityFindingsRepository } from './integrity-findings.repository';

/** Mails an event names. */
const MAX_NAMED = 100;

/** Records damaged files and notifies their owner once. */
@Injectable()
export class IntegrityFindingsService {
  constructor(
    private readonly repository: IntegrityFindingsRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly ledger: LedgerService,
    private readonly events: EventDispatcher,
    private readonly transactions: Transactions,
  ) {}

  /** @returns ids of the mails recorded; those changed meanwhile are left out */
  record(owner: ArchiveOwner, damaged: readonly DamagedMail[]): Promise<Set<string>> {
    return this.transactions.run(async (transaction) => {
      // Until the commit no mail of the account is replaced or deleted.
      if (!(await this.archiveLock.acquire(owner, transaction))) return new Set();
      const recorded = await this.repository.record(owner.accountId, damaged, transaction);
      const copies = damaged.map(({ mail: { id, sha256 }, problem }) => ({ id, sha256, problem }));
      await this.ledger.recordDamaged(owner.accountId, copies, transaction);
      return recorded;
    });
  }

  /** Findings about some mails, by mail id. Mails without a finding are absent. */
  findAmong({ accountId }: ArchiveOwner, mailIds: readonly string[]): Promise<ReadonlyMap<string, Finding>> {
    return this.repository.findAmong(accountId, mailIds);
  }

  /** Records that mails are what the mailbox holds, after all. */
  async withdraw(
    { accountId }: ArchiveOwner,
    mails: readonly Pick<StoredMail, 'id' | 'messageId'>[],
  ): Promise<void> {
    await this.repository.withdraw(
      accountId,
      mails.map(({ id }) => id),
    );
    await this.ledger.markArchived(
      accountId,
      mails.map(({ messageId }) => messageId),
    );
  }

  /** Records that files are intact. @returns the number of these mails that had been found damaged before */
  async resolve({ accountId }: ArchiveOwner, intact: readonly StoredMail[]): Promise<number> {
    const resolved = await this.repository.resolve(
      accountId,
      intact.map(({ id }) => id),
    );
    await this.ledger.recordVerified(accountId, intact);
    return resolved;
  }

  /**
   * Notifies the owner of everything found since the last event, in one event. Findings are marked in the same
   * transaction: those of a crashed check are part of the next event, and none is part of two.
   * @param checked files hashed in the check
   */
  async notify(owner: ArchiveOwner, checked: number): Promise<void> {
    const { userId, accountId } = owner;
    if (!(await this.repository.hasNew(accountId))) return;
    await this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return;
      const { missing, altered, mailIds } = await this.repository.takeNew(accountId, MAX_NAMED, transaction);
      if (mailIds.length === 0) return;
      const data = { accountId, checked, missing, altered, mailIds };
      const key = `integrity.failed ${newId()}`;
      await this.events.dispatch({ type: 'integrity.failed', key, userId, data }, transaction);
    });
  }
}
