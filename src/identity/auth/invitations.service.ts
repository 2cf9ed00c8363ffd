import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { UserRole } from '../../platform/access/authenticated-user';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { clientKey } from '../../platform/rate-limit/rate-limiter';
import { AppConfig } from '../../platform/config/app-config';
import type { Device } from '../sessions/device';
import { PasswordHasher } from '../users/password-hasher';
import type { UserEntity } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { InvitationInvalid, UserHasSignedIn } from './auth.errors';
import { InvitationsRepository } from './invitations.repository';
import { SignedIn, SignInService } from './sign-in.service';

/** Time that people have to choose a password, in milliseconds. */
const LIVE_MS = 7 * 24 * 60 * 60 * 1_000;
const TOKEN_BYTES = 32;

/** Lets one person choose a password. Anyone who has the address can use it, so it is shown once and only its hash is stored. */
export interface Invitation {
  readonly userId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** Whom a live invitation is for. */
export interface InvitedUser {
  readonly user: UserEntity;
  readonly expiresAt: Date;
}

/** Users whom administrators add; they choose their passwords themselves. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    private readonly passwords: PasswordHasher,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** Adds a user, also where registration is closed. @throws EmailTaken */
  async invite(person: { email: string; name: string | null; role: UserRole }): Promise<Invitation> {
    const { email, name, role } = person;
    return this.transactions.run(async (transaction) => {
      const user = { email, name, passwordHash: null, admin: role === 'admin' };
      const { id } = await this.users.create(user, { addedBy: 'administrator', transaction });
      return this.issue(id, transaction);
    });
  }

  /**
   * A new invitation of a user who has not accepted the first; that one ends.
   * @throws ResourceNotFound, UserHasSignedIn
   */
  async inviteAgain(userId: string): Promise<Invitation> {
    return this.transactions.run(async (transaction) => {
      const user = await this.users.getLocked(userId, transaction);
      if (!isInvited(user)) throw new UserHasSignedIn();
      return this.issue(userId, transaction);
    });
  }

  /** @throws InvitationInvalid */
  async read(token: string): Promise<InvitedUser> {
    const invitation = await this.invitations.findLive(hashOf(token));
    if (!invitation) throw new InvitationInvalid();
    const user = await this.users.get(invitation.userId);
    if (!isInvited(user)) throw new InvitationInvalid();
    return { user, expiresAt: invitation.expiresAt };
  }

  /** Sets the first password, and signs the person in. @throws InvitationInvalid, ValidationFailed */
  async accept(token: string, password: string, device: Device): Promise<SignedIn> {
    // This check comes before the costly hash: tokens that are made up cost nothing.
    const { user: invited } = await this.read(token);
    const chosen = { field: 'password', email: invited.email };
    const caller = clientKey(device.ipAddress ?? undefined);
    const passwordHash = await this.passwords.hashNew(password, chosen, caller);
    const user = await this.transactions.run(async (transaction) => {
      const userId = await this.invitations.redeem(hashOf(token), transaction);
      if (!userId) throw new InvitationInvalid();
      if (!isInvited(await this.users.getLocked(userId, transaction))) throw new InvitationInvalid();
      await this.users.setFirstPasswordHash(userId, passwordHash, transaction);
      const act = { action: 'invitation.accepted', userId, actorId: userId };
      await this.audit.record(act, transaction);
      return this.users.getLocked(userId, transaction);
    });
    return this.signIn.open(user, device, 'invitation');
  }

  private async issue(userId: string, transaction: Transaction): Promise<Invitation> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + LIVE_MS);
    await this.invitations.replace({ userId, tokenHash: hashOf(token), expiresAt }, transaction);
    await this.audit.record({ action: 'invitation.issued', userId }, transaction);
    // The part after the `#` is sent to no server, and so is in no log.
    return { userId, url: `${this.config.http.appUrl}/invite#${token}`, expiresAt };
  }
}

/** A user who has signed in by any method needs no invitation. */
const isInvited = ({ passwordHash, lastLoginAt, isActive, deletionRequestedAt }: UserEntity): boolean =>
  passwordHash === null && lastLoginAt === null && isActive && deletionRequestedAt === null;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
