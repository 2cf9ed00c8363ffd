import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions';
import { OffloadRunning } from '../offload.errors';
import type { PlanOwner } from './offload-plan';
import { OffloadPlansRepository } from './offload-plans.repository';

/** Keeps archives from being deleted while their messages are moved: an offload relies on the copies. */
@Injectable()
export class RunningOffloads {
  constructor(private readonly plans: OffloadPlansRepository) {}

  /**
   * @param transaction has locked the account: no job starts meanwhile
   * @throws OffloadRunning while messages of the account are moved
   */
  async requireNone(owner: PlanOwner, transaction: Transaction): Promise<void> {
    if (await this.plans.isMoving(owner, transaction)) throw new OffloadRunning();
  }

  /**
   * @param transaction has locked the user: no job starts meanwhile
   * @throws OffloadRunning while messages of any account of the user are moved
   */
  async requireNoneOf(userId: string, transaction: Transaction): Promise<void> {
    if (await this.plans.isMovingAnyOf(userId, transaction)) throw new OffloadRunning();
  }
}
