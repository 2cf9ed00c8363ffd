import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { DomainError, ValidationFailed } from '../../platform/http/domain-error';
import { Reauthentication } from '../two-factor/reauthentication';
import { NoLocalPassword, PasswordInvalid } from '../two-factor/two-factor.errors';
import { PasswordHasher } from '../users/password-hasher';
import { UsersService } from '../users/users.service';

/** A change of password as the user typed it. */
export interface PasswordChange {
  readonly current: string;
  readonly next: string;
  /** A code of the authenticator app, or a recovery code; only users with a second factor need one. */
  readonly code?: string;
}

/** Lets signed-in users change their password. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordHasher,
    private readonly reauthentication: Reauthentication,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Sets a new password and ends the user's other sessions. Wrong passwords and codes count: ten in 15 minutes, and the user
   * has to wait.
   * @throws NoLocalPassword, ValidationFailed, PasswordInvalid, TotpInvalid, TotpUnreadable, TooManyRequests
   */
  async change({ id, sessionId }: SessionUser, { current, next, code }: PasswordChange): Promise<void> {
    const user = await this.users.get(id);
    if (user.passwordHash === null) throw new NoLocalPassword();
    // Passwords are compared in this form: composed and decomposed accents are the same password.
    if (next.normalize('NFKC') === current.normalize('NFKC')) {
      throw new ValidationFailed([{ field: 'next', message: 'next must differ from the current password' }]);
    }
    try {
      await this.reauthentication.require(user, { password: current, passwordField: 'current', code });
    } catch (error) {
      if (isRefusal(error)) await this.refuse(id, error.code);
      throw error;
    }
    const chosen = { field: 'next', email: user.email };
    const passwordHash = await this.passwords.hashNew(next, chosen, id);
    if (!(await this.users.changePasswordHash(user, passwordHash, sessionId))) {
      throw new PasswordInvalid('current');
    }
  }

  private refuse(userId: string, code: string): Promise<void> {
    return this.audit.recordRefusal({ action: 'password.change-refused', userId, details: { code } });
  }
}

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.status === 403;
