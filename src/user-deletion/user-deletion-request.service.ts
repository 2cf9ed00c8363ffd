import { Injectable } from '@nestjs/common';
import { SessionsService } from '../sessions/sessions.service';
import { AuditTrail } from '../access/audit-trail.port';
import { Transaction, Transactions } from '../common/database/transactions';
import { ResourceNotFound } from '../common/http/domain-error';
import { JobCancellations } from '../jobs/job-cancellations';
import { UsersService } from '../users/users.service';
import { UserDeletionsRepository } from './user-deletions.repository';

/**
 * Marks users for deletion, which is a promise: jobs keep it (`UserDeletions`). From that transaction on the user may not
 * come in, and nobody starts work for them: sessions of inactive users are dead, jobs are refused by the statement that
 * would insert them, and mailboxes by the one that locks their owner; all of them under locks that conflict with the one
 * taken here, so that nothing slips in between.
 */
@Injectable()
export class UserDeletionRequestService {
  constructor(
    private readonly repository: UserDeletionsRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly cancellations: JobCancellations,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** As `apply`, in a transaction of its own. @throws ResourceNotFound, LastActiveAdmin */
  lockOut(userId: string): Promise<void> {
    return this.transactions.run((transaction) => this.apply(userId, transaction));
  }

  /**
   * Ends the user's sessions, API keys, jobs and deliveries with the transaction. A user who is marked stays as they are.
   * Their row is locked until the transaction ends.
   * @throws ResourceNotFound, LastActiveAdmin
   */
  async apply(userId: string, transaction: Transaction): Promise<void> {
    await this.users.requireAnotherActiveAdmin(userId, transaction);
    const isMarked = await this.repository.lock(userId, transaction);
    if (isMarked === null) throw new ResourceNotFound('user');
    if (isMarked) return;
    await this.repository.mark(userId, transaction);
    await this.sessions.endAllOf(userId, transaction);
    await this.cancellations.cancelEverythingOf(userId, transaction);
    await this.repository.silenceWebhooks(userId, transaction);
    await this.audit.record({ action: 'user.deletion-requested', userId }, transaction);
  }
}
