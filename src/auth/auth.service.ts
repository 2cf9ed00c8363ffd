import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import type { UserEntity } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { LoginAttempts } from './passwords/login-attempts';
import { PasswordHasher } from './passwords/password-hasher';
import { AccessTokens } from './sessions/access-tokens';
import type { Device } from './sessions/device';
import { IssuedSession, SessionsService } from './sessions/sessions.service';
import { CredentialsInvalid, RefreshTokenInvalid, RegistrationClosed } from './sign-in.errors';

/** A session just opened or extended, with its tokens. */
export interface SignedIn {
  readonly user: UserEntity;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Registration, sign-in, renewal and sign-out of local users. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokens,
    private readonly passwords: PasswordHasher,
    private readonly attempts: LoginAttempts,
    private readonly config: AppConfig,
  ) {}

  /** @throws RegistrationClosed, EmailTaken */
  async register(
    user: { email: string; password: string; name?: string | null },
    device: Device,
  ): Promise<SignedIn> {
    if (!this.config.registration.open) throw new RegistrationClosed();
    const passwordHash = await this.passwords.hash(user.password);
    const created = await this.users.create({ email: user.email, name: user.name ?? null, passwordHash });
    return this.signIn(created, device);
  }

  /**
   * @param email normalised
   * @throws CredentialsInvalid, TooManyRequests after 10 failures in 15 minutes
   */
  async login(email: string, password: string, device: Device): Promise<SignedIn> {
    await this.attempts.begin(email);
    const user = await this.judge(email, password);
    if (!user) throw new CredentialsInvalid();
    await this.attempts.succeed(email);
    if (user.passwordHash && this.passwords.isOutdated(user.passwordHash)) {
      await this.users.upgradePasswordHash(user.id, user.passwordHash, await this.passwords.hash(password));
    }
    return this.signIn(user, device);
  }

  /** @throws RefreshTokenInvalid; a token used before also ends its session */
  async refresh(refreshToken: string | undefined): Promise<SignedIn> {
    const session = refreshToken ? await this.sessions.rotate(refreshToken) : null;
    if (!session) throw new RefreshTokenInvalid();
    return this.withAccessToken(await this.users.get(session.userId), session);
  }

  async logout(sessionId: string): Promise<void> {
    await this.sessions.end(sessionId);
  }

  /** The active user with this password, or null; both take the same time. */
  private async judge(email: string, password: string): Promise<UserEntity | null> {
    try {
      const user = await this.users.findByEmail(email);
      const matches = await this.passwords.verify(password, user?.passwordHash ?? null);
      return matches && user?.isActive ? user : null;
    } catch (error) {
      await this.attempts.withdraw(email);
      throw error;
    }
  }

  private async signIn(user: UserEntity, device: Device): Promise<SignedIn> {
    const session = await this.sessions.open(user.id, device);
    await this.users.recordLogin(user.id);
    return this.withAccessToken(user, session);
  }

  private withAccessToken(user: UserEntity, { sessionId, refreshToken }: IssuedSession): SignedIn {
    const accessToken = this.accessTokens.issue({ sub: user.id, sid: sessionId, role: user.role });
    return { user, accessToken, refreshToken };
  }
}
