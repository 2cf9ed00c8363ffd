import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { Transactions } from '../../platform/database/transactions';
import { clientKey } from '../../platform/rate-limit/rate-limiter';
import { AppConfig } from '../../platform/config/app-config';
import type { Device } from '../sessions/device';
import { PasswordHasher } from '../users/password-hasher';
import type { UserEntity } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { PasswordResetInvalid, UserCannotSignIn } from './auth.errors';
import { PasswordResetsRepository } from './password-resets.repository';
import { LoginAttempts } from './sign-in.service';

/** Short, as the link opens an account that is in use. */
const LIVE_MS = 24 * 60 * 60 * 1_000;
const TOKEN_BYTES = 32;

/** Lets one person choose another password. Only the hash of its token is stored, so it is shown once. */
export interface PasswordReset {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The user of a live link. */
export interface ResettingUser {
  readonly user: UserEntity;
  readonly expiresAt: Date;
}

/**
 * Links that administrators give to users who have lost their passwords. A link works once, for a day, and ends when the
 * password is changed otherwise, or the user is switched off. It opens no session: one-time codes are asked for as always.
 */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly users: UsersService,
    private readonly passwords: PasswordHasher,
    private readonly attempts: LoginAttempts,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** Makes a link in place of the user's earlier one. @throws ResourceNotFound, UserCannotSignIn */
  async issue(userId: string): Promise<PasswordReset> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + LIVE_MS);
    await this.transactions.run(async (transaction) => {
      const user = await this.users.getLocked(userId, transaction);
      if (!maySignIn(user)) throw new UserCannotSignIn();
      const reset = { userId, tokenHash: hashOf(token), passwordSeen: fingerprintOf(user), expiresAt };
      await this.resets.replace(reset, transaction);
      await this.audit.record({ action: 'password.reset-issued', userId }, transaction);
    });
    // The part after the `#` is sent to no server, and so is in no log.
    return { url: `${this.config.http.appUrl}/reset-password#${token}`, expiresAt };
  }

  /** @throws PasswordResetInvalid */
  async read(token: string): Promise<ResettingUser> {
    const reset = await this.resets.findLive(hashOf(token));
    if (!reset) throw new PasswordResetInvalid();
    const user = await this.users.get(reset.userId);
    if (!isFor(user, reset.passwordSeen)) throw new PasswordResetInvalid();
    return { user, expiresAt: reset.expiresAt };
  }

  /**
   * Sets the password, ends every session of the user, and lets them try again at once where failed sign-ins had made them
   * wait.
   * @throws PasswordResetInvalid, ValidationFailed, SignInBusy
   */
  async complete(token: string, password: string, device: Device): Promise<void> {
    // This check comes before the costly hash: tokens that are made up cost nothing.
    const { user } = await this.read(token);
    const chosen = { field: 'password', email: user.email };
    const caller = clientKey(device.ipAddress ?? undefined);
    const passwordHash = await this.passwords.hashNew(password, chosen, caller);
    await this.transactions.run(async (transaction) => {
      const reset = await this.resets.redeem(hashOf(token), transaction);
      if (!reset) throw new PasswordResetInvalid();
      const current = await this.users.getLocked(reset.userId, transaction);
      if (!isFor(current, reset.passwordSeen)) throw new PasswordResetInvalid();
      await this.audit.record(
        { action: 'password.reset', userId: current.id, actorId: current.id },
        transaction,
      );
      await this.users.setPasswordHash(current.id, passwordHash, transaction);
    });
    await this.attempts.succeed(user.email);
  }
}

const maySignIn = ({ isActive, deletionRequestedAt }: UserEntity): boolean =>
  isActive && deletionRequestedAt === null;

const isFor = (user: UserEntity, passwordSeen: Buffer): boolean =>
  maySignIn(user) && fingerprintOf(user).equals(passwordSeen);

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const fingerprintOf = ({ passwordHash }: UserEntity): Buffer =>
  passwordHash === null ? Buffer.alloc(0) : hashOf(passwordHash);
