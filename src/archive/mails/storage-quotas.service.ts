import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import { EventDispatcher } from '../../platform/events/event-dispatcher';
import { dueNotification, NotifiedLevel } from './storage-quota';
import { StorageQuotasRepository, StorageUsage } from './storage-quotas.repository';

/** A user's usage, locked until the transaction ends. */
export interface LockedUsage extends StorageUsage {
  readonly userId: string;
  readonly notified: NotifiedLevel;
}

/** Storage quotas: writers of an archive enforce them in the transaction that writes. */
@Injectable()
export class StorageQuotasService {
  constructor(
    private readonly repository: StorageQuotasRepository,
    private readonly events: EventDispatcher,
  ) {}

  /** The current usage, not locked: others may be writing. */
  getUsage(userId: string): Promise<StorageUsage> {
    return this.repository.findUsage(userId);
  }

  /**
   * Locks the user's usage. Callers lock the account's archive first: the other order would deadlock two accounts of one
   * user.
   */
  async lock(userId: string, transaction: Transaction): Promise<LockedUsage> {
    const notified = await this.repository.lockLevel(userId, transaction);
    // A separate statement sees the commit of the previous holder of the lock.
    return { userId, notified, ...(await this.repository.findUsage(userId, transaction)) };
  }

  /** Records the growth, and dispatches an event if a mark was crossed, in the transaction that writes. */
  async recordGrowth(
    before: LockedUsage,
    { growth, refused }: { growth: number; refused: boolean },
    transaction: Transaction,
  ): Promise<void> {
    const { userId, quotaBytes, usedBytes: usedBefore } = before;
    const usedAfter = usedBefore + growth;
    const { notified, mark } = dueNotification(before.notified, {
      quotaBytes,
      usedBefore,
      usedAfter,
      refused,
    });
    if (
      notified.percent !== before.notified.percent ||
      notified.refusedRoom !== before.notified.refusedRoom
    ) {
      await this.repository.updateLevel(userId, notified, transaction);
    }
    if (mark === null) return;
    const data = { usedBytes: usedAfter, quotaBytes, percent: mark };
    // One crossing is one change of the level, in this transaction.
    const key = `quota.warning:${userId}:${mark}:${newId()}`;
    await this.events.dispatch({ type: 'quota.warning', key, userId, data }, transaction);
  }
}
