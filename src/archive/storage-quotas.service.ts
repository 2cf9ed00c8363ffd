import { Injectable } from '@nestjs/common';
import { newId } from '../common/database/ids';
import type { Transaction } from '../common/database/transactions';
import { EventDispatcher } from '../events/event-dispatcher';
import { dueNotification, NotifiedLevel } from './storage-quota';
import { StorageQuotasRepository, StorageUsage } from './storage-quotas.repository';

/** A user's usage that nobody else adds to until the transaction ends. */
export interface LockedUsage extends StorageUsage {
  readonly userId: string;
  readonly told: NotifiedLevel;
}

/** What users may store: enforced by whoever writes into an archive, in the transaction that does. */
@Injectable()
export class StorageQuotasService {
  constructor(
    private readonly repository: StorageQuotasRepository,
    private readonly events: EventDispatcher,
  ) {}

  /** As of now, for a look ahead: others may be writing. */
  usage(userId: string): Promise<StorageUsage> {
    return this.repository.usage(userId);
  }

  /**
   * To be called after the account's archive is locked, never before: two accounts of one user would wait for each
   * other for ever.
   */
  async lock(userId: string, transaction: Transaction): Promise<LockedUsage> {
    const told = await this.repository.lockLevel(userId, transaction);
    // A statement of its own: it sees what whoever held the lock has committed.
    return { userId, told, ...(await this.repository.usage(userId, transaction)) };
  }

  /** Tells of the mark that was crossed, if any, together with what was written. */
  async settle(
    before: LockedUsage,
    { growth, refused }: { growth: number; refused: boolean },
    transaction: Transaction,
  ): Promise<void> {
    const { userId, quotaBytes, usedBytes: usedBefore } = before;
    const usedAfter = usedBefore + growth;
    const { told, mark } = dueNotification(before.told, { quotaBytes, usedBefore, usedAfter, refused });
    if (told.percent !== before.told.percent || told.refusedRoom !== before.told.refusedRoom) {
      await this.repository.updateLevel(userId, told, transaction);
    }
    if (mark === null) return;
    const data = { usedBytes: usedAfter, quotaBytes, percent: mark };
    // One crossing is one change of the level, in this transaction.
    const key = `quota.warning:${userId}:${mark}:${newId()}`;
    await this.events.dispatch({ type: 'quota.warning', key, userId, data }, transaction);
  }
}
