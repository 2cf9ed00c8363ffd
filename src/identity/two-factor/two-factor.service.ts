import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { AuthenticatedUser, SessionUser } from '../../platform/access/authenticated-user';
import { SecretBox } from '../../platform/crypto/secret-box';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { SessionsService } from '../sessions/sessions.service';
import { UsersService } from '../users/users.service';
import { Proof, Reauthentication, TwoFactorAttempts } from './reauthentication';
import { SealedTotp, SecondFactor } from './second-factor';
import { canonicalCode, newRecoveryCodes, newTotpSecret, otpauthUrl, stepOfCode } from './totp';
import {
  NoLocalPassword,
  TotpAlreadyEnabled,
  TotpInvalid,
  TotpNotEnabled,
  TotpNotSetUp,
} from './two-factor.errors';
import { RecoveryCodesRepository, TwoFactorsRepository } from './two-factors.repository';

/** Time for which a new secret stays valid without a first code. */
const SETUP_MINUTES = 15;

/** A secret that is enabled by its first code. */
export interface PendingTotp {
  /** base32 */
  readonly secret: string;
  readonly otpauthUrl: string;
  readonly expiresAt: Date;
}

/**
 * Turns the second factor on and off. Ten wrong passwords or codes in 15 minutes lock a user out of it for a while. It has
 * ten dependencies because a change of the factor checks the password, counts attempts, ends sessions and writes the audit
 * log, in one transaction.
 */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly users: UsersService,
    private readonly factors: TwoFactorsRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly secondFactor: SecondFactor,
    private readonly sessions: SessionsService,
    private readonly reauthentication: Reauthentication,
    private readonly attempts: TwoFactorAttempts,
    private readonly secrets: SecretBox,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  async status(userId: string): Promise<{ enabled: boolean; recoveryCodesLeft: number }> {
    const enabled = (await this.factors.findEnabled(userId)) !== null;
    return { enabled, recoveryCodesLeft: enabled ? await this.recoveryCodes.countUnused(userId) : 0 };
  }

  /**
   * Creates a secret, which takes effect with its first code and replaces an earlier one that has not.
   * @throws TotpAlreadyEnabled, NoLocalPassword, PasswordInvalid, TooManyRequests
   */
  async setUp(user: AuthenticatedUser, password: string): Promise<PendingTotp> {
    const known = await this.users.get(user.id);
    if (known.passwordHash === null) throw new NoLocalPassword();
    if (known.totpEnabled) throw new TotpAlreadyEnabled();
    await this.reauthentication.require(known, { password });
    const secret = newTotpSecret();
    const sealed = this.secrets.seal({ secret } satisfies SealedTotp, user.id);
    const createdAt = await this.factors.savePending(user.id, sealed);
    if (!createdAt) throw new TotpAlreadyEnabled();
    return {
      secret,
      otpauthUrl: otpauthUrl(secret, user.email),
      expiresAt: new Date(createdAt.getTime() + SETUP_MINUTES * 60_000),
    };
  }

  /**
   * Enables the pending secret by its first code. The user's other sessions end: they were opened without a code.
   * @returns recovery codes, of which only hashes are stored
   * @throws TotpAlreadyEnabled, TotpNotSetUp, TotpInvalid, TotpUnreadable, TooManyRequests
   */
  async enable(user: SessionUser, code: string): Promise<string[]> {
    if (await this.factors.findEnabled(user.id)) throw new TotpAlreadyEnabled();
    const sealed = await this.factors.findPending(user.id, SETUP_MINUTES);
    if (!sealed) throw new TotpNotSetUp();
    const secret = this.secondFactor.open(user.id, sealed);
    const step = await this.attempts.guess(user.id, async () => {
      const shown = stepOfCode(secret, canonicalCode(code), Date.now());
      if (shown === null) throw new TotpInvalid(403);
      return shown;
    });
    return this.transactions.run(async (transaction) => {
      if (!(await this.factors.enable(user.id, sealed, step, transaction))) throw new TotpNotSetUp();
      await this.users.setTotpEnabled(user.id, true, transaction);
      const codes = await this.replaceRecoveryCodes(user.id, transaction);
      await this.sessions.endOthersOf(user.id, user.sessionId, transaction);
      await this.audit.record({ action: 'two-factor.enabled', userId: user.id }, transaction);
      return codes;
    });
  }

  /** @throws TotpNotEnabled, PasswordInvalid, TotpInvalid, TotpUnreadable, TooManyRequests */
  async disable(userId: string, proof: Proof): Promise<void> {
    await this.requireProof(userId, proof);
    await this.turnOff(userId);
  }

  /** Replaces all recovery codes by new ones. @throws as `disable` */
  async renewRecoveryCodes(userId: string, proof: Proof): Promise<string[]> {
    await this.requireProof(userId, proof);
    return this.transactions.run(async (transaction) => {
      const codes = await this.replaceRecoveryCodes(userId, transaction);
      await this.audit.record({ action: 'recovery-codes.renewed', userId }, transaction);
      return codes;
    });
  }

  /**
   * Turns the second factor off without a code, for operators whose user has lost theirs.
   * @returns whether it was on
   */
  turnOff(userId: string): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      const wasEnabled = await this.factors.delete(userId, transaction);
      await this.recoveryCodes.deleteAll(userId, transaction);
      await this.users.setTotpEnabled(userId, false, transaction);
      if (wasEnabled) await this.audit.record({ action: 'two-factor.disabled', userId }, transaction);
      return wasEnabled;
    });
  }

  /**
   * Turns the second factor of all users off, for operators who no longer have the key that sealed the secrets.
   * @returns addresses of the users who had it on
   */
  async turnOffForAll(): Promise<string[]> {
    const emails: string[] = [];
    for (const userId of await this.factors.listUserIds()) {
      if (await this.turnOff(userId)) emails.push((await this.users.get(userId)).email);
    }
    return emails;
  }

  private async requireProof(userId: string, proof: Proof): Promise<void> {
    const user = await this.users.get(userId);
    if (!user.totpEnabled) throw new TotpNotEnabled();
    await this.reauthentication.require(user, proof);
  }

  private async replaceRecoveryCodes(userId: string, transaction: Transaction): Promise<string[]> {
    const codes = newRecoveryCodes();
    const fingerprints = codes.map((code) => this.secondFactor.fingerprint(userId, code));
    await this.recoveryCodes.replace(userId, fingerprints, transaction);
    return codes;
  }
}
