import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/http/domain-error';
import { clientKey, TooManyRequests } from '../../platform/rate-limit/rate-limiter';
import { AppConfig } from '../../platform/config/app-config';
import type { Device } from '../sessions/device';
import { SessionsService } from '../sessions/sessions.service';
import { SecondFactor } from '../two-factor/second-factor';
import { PasswordHasher } from '../users/password-hasher';
import type { UserEntity } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { CredentialsInvalid, RefreshTokenInvalid, RegistrationClosed } from './auth.errors';
import type { PresentedToken } from './session-transport';
import { LoginAttempts, SignedIn, SignInService } from './sign-in.service';

/** The credentials of a sign-in. */
export interface Credentials {
  /** Normalised. */
  readonly email: string;
  readonly password: string;
  /** The one-time or recovery code as typed; only users with a second factor need one. */
  readonly code?: string;
}

/** Registration, sign-in, renewal and sign-out of local users. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly passwords: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: LoginAttempts,
    private readonly config: AppConfig,
  ) {}

  /** @throws RegistrationClosed, ValidationFailed, EmailTaken */
  async register(
    user: { email: string; password: string; name?: string | null },
    device: Device,
  ): Promise<SignedIn> {
    if (!this.config.registration.open) throw new RegistrationClosed();
    const chosen = { field: 'password', email: user.email };
    const passwordHash = await this.passwords.hashNew(user.password, chosen, callerAt(device));
    const created = await this.users.create({ email: user.email, name: user.name ?? null, passwordHash });
    return this.signIn.open(created, device, 'registration');
  }

  /**
   * A second factor is mentioned only once the password is right, and failures are forgotten only once everything is.
   * @throws CredentialsInvalid, TotpRequired, TotpInvalid, TooManyRequests after 10 failures in 15 minutes
   */
  async login(credentials: Credentials, device: Device): Promise<SignedIn> {
    const { email, password } = credentials;
    await this.beginAttempt(email);
    const authenticated = await this.authenticate(credentials, callerAt(device));
    await this.attempts.succeed(email);
    const user = await this.withCurrentHash(authenticated, password, callerAt(device));
    return this.signIn.open(user, device, user.totpEnabled ? 'password-and-code' : 'password');
  }

  /** @throws RefreshInProgress, RefreshTokenInvalid; a token used before also ends its session */
  async refresh({ token, shared }: PresentedToken): Promise<SignedIn> {
    const session = token ? await this.sessions.rotate(token, { shared }) : null;
    if (!session) throw new RefreshTokenInvalid();
    return this.signIn.withAccessToken(await this.users.get(session.userId), session);
  }

  async logout(sessionId: string): Promise<void> {
    await this.sessions.end(sessionId);
  }

  /**
   * The user, with the password hashed with the current parameters.
   * @throws CredentialsInvalid when it was changed meanwhile
   */
  private async withCurrentHash(user: UserEntity, password: string, caller: string): Promise<UserEntity> {
    const { id, passwordHash } = user;
    if (!passwordHash || !this.passwords.isOutdated(passwordHash)) return user;
    const upgraded = await this.passwords.hash(password, caller);
    if (await this.users.upgradePasswordHash(id, passwordHash, upgraded)) {
      return { ...user, passwordHash: upgraded };
    }
    // Another sign-in has replaced the hash, or the password has changed.
    const current = (await this.users.get(id)).passwordHash;
    if (!(await this.passwords.verify(password, current, caller))) throw new CredentialsInvalid();
    return { ...user, passwordHash: current };
  }

  private async beginAttempt(email: string): Promise<void> {
    try {
      await this.attempts.begin(email);
    } catch (error) {
      // The attempts before are on record; one entry is enough for those that follow.
      if (error instanceof TooManyRequests && error.isFirst) {
        const user = await this.users.findByEmail(email);
        await this.signIn.refuse(user?.id ?? null, 'password', error.code);
      }
      throw error;
    }
  }

  /** The active user with these credentials. An attempt that cannot be checked does not count as failed. */
  private async authenticate(credentials: Credentials, caller: string): Promise<UserEntity> {
    let user: UserEntity | null = null;
    try {
      user = await this.users.findByEmail(credentials.email);
      const matches = await this.passwords.verify(credentials.password, user?.passwordHash ?? null, caller);
      if (!matches || !user?.isActive) throw new CredentialsInvalid();
      if (user.totpEnabled) await this.secondFactor.require(user.id, credentials.code);
      return user;
    } catch (error) {
      if (isRefusal(error)) await this.signIn.refuse(user?.id ?? null, 'password', error.code);
      else await this.attempts.withdraw(credentials.email);
      throw error;
    }
  }
}

/** The key of a caller who is not signed in yet: their address. */
const callerAt = ({ ipAddress }: Device): string => clientKey(ipAddress ?? undefined);

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.status === 401;
