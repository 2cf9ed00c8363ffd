import { Injectable } from '@nestjs/common';
import { SessionsService } from '../../identity/sessions/sessions.service';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { JobCancellations } from '../../platform/jobs/job-cancellations';
import { RunningOffloads } from '../../keep/offload/plans/running-offloads';
import { UsersService } from '../../identity/users/users.service';
import { WebhookDeactivation } from '../../notify/webhooks/webhook-deactivation';

/**
 * Marks users for deletion; jobs perform it (`UserDeletionsService`). From that transaction on the user cannot sign in and
 * nothing starts for them: sessions of inactive users are invalid, the statement that inserts jobs refuses them, and the one
 * that adds mailboxes locks their owner. All of these take locks that conflict with the one taken here, so that none of them
 * can run in between.
 */
@Injectable()
export class UserDeletionRequestService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly cancellations: JobCancellations,
    private readonly webhooks: WebhookDeactivation,
    private readonly offloads: RunningOffloads,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Marks a user as `requestIn` does, in a new transaction. @throws ResourceNotFound, LastActiveAdmin, OffloadRunning */
  request(userId: string): Promise<void> {
    return this.transactions.run((transaction) => this.requestIn(userId, transaction));
  }

  /**
   * Marks a user for deletion, ends their sessions, API keys, jobs and deliveries, and keeps their row locked until the
   * transaction ends. Does nothing to a user who is marked already.
   * @throws ResourceNotFound, LastActiveAdmin; OffloadRunning while an offload moves messages of theirs
   */
  async requestIn(userId: string, transaction: Transaction): Promise<void> {
    await this.users.requireAnotherActiveAdmin(userId, transaction);
    const user = await this.users.lockForDeletion(userId, transaction);
    if (!user) throw new ResourceNotFound('user');
    if (user.deletionRequestedAt) return;
    // An offload moves messages because the archive has them. The owner is locked here: no job starts meanwhile.
    await this.offloads.requireNoneOf(userId, transaction);
    await this.users.markForDeletion(userId, transaction);
    await this.sessions.endAllOf(userId, transaction);
    await this.cancellations.cancelEverythingOf(userId, transaction);
    await this.webhooks.switchOffAll(userId, transaction);
    await this.audit.record({ action: 'user.deletion-requested', userId }, transaction);
  }
}
