import { Injectable } from '@nestjs/common';
import type { UserEntity } from '../../users/user.entity';
import { PasswordHasher } from '../passwords/password-hasher';
import { SecondFactor } from './second-factor';
import { TwoFactorAttempts } from './two-factor-attempts';
import { PasswordInvalid, TotpInvalid } from './two-factor.errors';

/** What somebody shows, as they typed it. */
export interface Proof {
  readonly password?: string;
  /** Of the app, or a recovery code. */
  readonly code?: string;
}

/**
 * Has somebody who is signed in show again who they are, before they change how they sign in: a session that was left
 * open or stolen must not become a way in for good.
 */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly attempts: TwoFactorAttempts,
  ) {}

  /**
   * Wants the password of users who have one, and a code of those who have a second factor.
   * @throws PasswordInvalid, TotpInvalid, TooManyRequests after ten wrong ones in 15 minutes
   */
  async require(user: UserEntity, { password, code }: Proof): Promise<void> {
    const { id, passwordHash, totpEnabled } = user;
    if (passwordHash === null) return;
    await this.attempts.guess(id, async () => {
      const matches = await this.passwords.verify(password ?? '', passwordHash);
      if (!matches) throw new PasswordInvalid();
      if (totpEnabled && !(await this.secondFactor.use(id, code ?? ''))) throw new TotpInvalid(403);
    });
  }
}
