import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { AccessChanges } from '../sessions/access-changes';
import { SessionsService } from '../sessions/sessions.service';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { JobCancellations } from '../../platform/jobs/job-cancellations';
import { AppConfig } from '../../platform/config/app-config';
import { normalizeEmail } from './user-fields';
import type { UserEntity } from './user.entity';
import { changeDetails } from './user-change-details';
import { EmailTaken, LastActiveAdmin, UserBeingDeleted } from './users.errors';
import { UserChanges, UsersRepository } from './users.repository';

@Injectable()
export class UsersService implements OnApplicationBootstrap {
  private readonly logger = new Logger(UsersService.name);

  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly accessChanges: AccessChanges,
    private readonly cancellations: JobCancellations,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Promotes users named in `ADMIN_EMAIL` who registered before it was set. Those whose address anyone could have
   * registered wait for an administrator's approval, also after registration has been closed.
   */
  async onApplicationBootstrap(): Promise<void> {
    const { adminEmails: emails } = this.config.registration;
    const { promoted, waiting } = await this.transactions.run(async (transaction) => {
      const found = await this.users.promote(emails, transaction);
      const asking = await this.users.requestAdminRole(emails, transaction);
      for (const userId of found) {
        const details = { changed: ['role'], role: 'admin' };
        await this.audit.record({ action: 'user.changed', userId, details, byService: true }, transaction);
      }
      for (const userId of asking) {
        await this.audit.record({ action: 'admin-role.requested', userId, byService: true }, transaction);
      }
      return { promoted: found, waiting: asking };
    });
    if (promoted.length > 0) this.logger.log(`Made ${promoted.length} users of ADMIN_EMAIL administrators`);
    if (waiting.length > 0)
      this.logger.warn(
        `${waiting.length} users of ADMIN_EMAIL wait for an administrator to grant them the role`,
      );
    for (const userId of promoted) await this.accessChanges.announce({ userId });
  }

  /**
   * Creates a user. The first of the installation and those created with `admin` are administrators. So are those named in
   * `ADMIN_EMAIL`, unless anyone could have registered the address and there is an administrator, whose approval they
   * then wait for.
   * @param options `addedBy`: the user themselves by default
   * @throws EmailTaken
   */
  async create(
    user: {
      email: string;
      name: string | null;
      passwordHash: string | null;
      admin?: boolean;
    },
    options: { readonly addedBy?: 'administrator'; readonly transaction?: Transaction } = {},
  ): Promise<UserEntity> {
    const { addedBy, transaction: given } = options;
    const id = newId();
    const email = normalizeEmail(user.email);
    const { adminEmails, open } = this.config.registration;
    const addedByAdministrator = addedBy === 'administrator';
    const isNamed = adminEmails.includes(email);
    const isProved = addedByAdministrator || !open;
    const insert = async (transaction: Transaction): Promise<UserEntity> => {
      const { name, passwordHash } = user;
      const row = {
        id,
        email,
        name,
        passwordHash,
        addedByAdministrator,
        admin: (user.admin ?? false) || (isNamed && isProved),
        asksForAdminRole: isNamed && !isProved,
      };
      if (!(await this.users.insert(row, transaction))) throw new EmailTaken();
      const created = this.requireUser(await this.users.findById(id, transaction));
      const act = { action: 'user.created', userId: id, details: { role: created.role } };
      await this.audit.record({ ...act, ...(addedBy === undefined && { actorId: id }) }, transaction);
      if (created.adminRoleRequestedAt) {
        await this.audit.record({ action: 'admin-role.requested', userId: id, actorId: id }, transaction);
        this.logger.warn('A user of ADMIN_EMAIL waits for an administrator to grant them the role');
      }
      return created;
    };
    return given ? insert(given) : this.transactions.run(insert);
  }

  findByEmail(email: string): Promise<UserEntity | null> {
    return this.users.findByEmail(normalizeEmail(email));
  }

  /** @throws ResourceNotFound */
  async get(userId: string): Promise<UserEntity> {
    return this.requireUser(await this.users.findById(userId));
  }

  /**
   * Changes role, activation or limits. Deactivation ends the user's sessions and cancels their jobs, including those that
   * start at that moment. Role and activation take effect in every process at once. Limits below what the user has delete
   * nothing.
   * @param transaction default: a separate one
   * @throws ResourceNotFound, LastActiveAdmin, UserBeingDeleted
   */
  update(userId: string, changes: UserChanges, transaction?: Transaction): Promise<UserEntity> {
    if (transaction) return this.change(userId, changes, transaction);
    return this.transactions.run((own) => this.change(userId, changes, own));
  }

  /**
   * Makes sure that another administrator stays active until the transaction ends. Call it before locking any user.
   * @throws LastActiveAdmin
   */
  async requireAnotherActiveAdmin(userId: string, transaction: Transaction): Promise<void> {
    const admins = await this.users.lockActiveAdmins(transaction);
    if (admins.length === 1 && admins[0] === userId) throw new LastActiveAdmin();
  }

  /** Sets a new password and ends every session of the user. @throws UserBeingDeleted */
  async setPasswordHash(userId: string, passwordHash: string, given?: Transaction): Promise<void> {
    const set = async (transaction: Transaction): Promise<void> => {
      const user = await this.users.lock(userId, 'change', transaction);
      if (user?.deletionRequestedAt) throw new UserBeingDeleted();
      await this.users.setPasswordHash(userId, passwordHash, transaction);
      await this.sessions.endAllOf(userId, transaction);
      await this.audit.record({ action: 'password.changed', userId }, transaction);
    };
    await (given ? set(given) : this.transactions.run(set));
  }

  /** Sets the password of a user who has none; the caller has locked them. */
  setFirstPasswordHash(userId: string, passwordHash: string, transaction: Transaction): Promise<void> {
    return this.users.setPasswordHash(userId, passwordHash, transaction);
  }

  /**
   * Sets a new password for a user who has proved the old one, and ends their sessions but the one they do it in.
   * @param user as read before the proof
   * @returns false, and changes nothing, when password or second factor were changed meanwhile, or the user is inactive
   */
  changePasswordHash(user: UserEntity, passwordHash: string, sessionId: string): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      // Exclusively first: the check locks the row for sharing, and two changes at once would wait for one another.
      await this.users.lock(user.id, 'change', transaction);
      if (!(await this.users.hasCredentials(user, transaction))) return false;
      await this.users.setPasswordHash(user.id, passwordHash, transaction);
      await this.sessions.endOthersOf(user.id, sessionId, transaction);
      await this.audit.record({ action: 'password.changed', userId: user.id }, transaction);
      return true;
    });
  }

  /**
   * Stores a hash of the same password with the current parameters.
   * @returns false, and stores nothing, when the password was changed meanwhile
   */
  upgradePasswordHash(userId: string, from: string, to: string): Promise<boolean> {
    return this.users.upgradePasswordHash(userId, from, to);
  }

  /**
   * Whether the user is active and still has the password and second factor they had when they were read. Changes of
   * either wait until the transaction ends.
   */
  hasCredentials(user: UserEntity, transaction: Transaction): Promise<boolean> {
    return this.users.hasCredentials(user, transaction);
  }

  /** Locks the user against other changes until the transaction ends. @throws ResourceNotFound */
  async getLocked(userId: string, transaction: Transaction): Promise<UserEntity> {
    return this.requireUser(await this.users.lock(userId, 'change', transaction));
  }

  /** Locks the user as their deletion does: waits for transactions that add something of theirs. null when deleted */
  lockForDeletion(userId: string, transaction: Transaction): Promise<UserEntity | null> {
    return this.users.lock(userId, 'deactivation', transaction);
  }

  /** Deactivates the user and marks them for deletion. */
  markForDeletion(userId: string, transaction: Transaction): Promise<void> {
    return this.users.markForDeletion(userId, transaction);
  }

  /** Deletes the user and all rows that refer to them. @returns false when they are deleted already, or not marked */
  deleteMarked(userId: string, transaction: Transaction): Promise<boolean> {
    return this.users.deleteMarked(userId, transaction);
  }

  /** @param monday first day of the week, an ISO date @returns false when they have had its report, or are inactive */
  markReported(userId: string, monday: string, transaction: Transaction): Promise<boolean> {
    return this.users.markReported(userId, monday, transaction);
  }

  /** Records whether signing in asks for a code. */
  async setTotpEnabled(userId: string, enabled: boolean, transaction: Transaction): Promise<void> {
    await this.users.setTotpEnabled(userId, enabled, transaction);
  }

  async recordLogin(userId: string, transaction: Transaction): Promise<void> {
    await this.users.recordLogin(userId, transaction);
  }

  /**
   * The user's account maximum, null when they are inactive or gone; other connections of the user wait until the
   * transaction ends.
   */
  lockAccountLimit(userId: string, transaction: Transaction): Promise<number | null> {
    return this.users.lockAccountLimit(userId, transaction);
  }

  private async change(userId: string, changes: UserChanges, transaction: Transaction): Promise<UserEntity> {
    const { role, isActive } = changes;
    // Administrators are locked before the user, so that two administrators who demote each other wait for one another.
    if (role === 'user' || isActive === false) await this.requireAnotherActiveAdmin(userId, transaction);
    const purpose = isActive === false ? 'deactivation' : 'change';
    const before = this.requireUser(await this.users.lock(userId, purpose, transaction));
    if (before.deletionRequestedAt) throw new UserBeingDeleted();
    const decided = role !== undefined && { adminRoleRequestedAt: null };
    await this.users.update(userId, { ...changes, ...decided }, transaction);
    const cancelledJobs =
      isActive === false ? await this.cancellations.cancelAllOf(userId, transaction) : undefined;
    const user = this.requireUser(await this.users.findById(userId, transaction));
    if (user.isActive !== before.isActive || isActive === false) {
      // Also on reactivation: it ends a session that was being opened during the deactivation.
      await this.sessions.endAllOf(userId, transaction);
    } else if (user.role !== before.role) {
      transaction.afterCommit(() => this.accessChanges.announce({ userId }));
    }
    const details = changeDetails(before, user, cancelledJobs);
    await this.audit.record({ action: 'user.changed', userId, details }, transaction);
    return user;
  }

  private requireUser(user: UserEntity | null): UserEntity {
    if (!user) throw new ResourceNotFound('user');
    return user;
  }
}
