import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { SecretBox, SecretUnreadable } from '../../platform/crypto/secret-box';
import { Transactions } from '../../platform/database/transactions';
import { canonicalCode, isTotpCode, stepOfCode } from './totp';
import { TotpInvalid, TotpRequired, TotpUnreadable } from './two-factor.errors';
import { RecoveryCodesRepository, TwoFactorsRepository } from './two-factors.repository';

/** The sealed part of a second factor. */
export interface SealedTotp {
  /** base32 */
  readonly secret: string;
}

/** Checks codes of the authenticator app and recovery codes. Each is good for one use. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly factors: TwoFactorsRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly secrets: SecretBox,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Requires a good code of a sign-in, and uses it up.
   * @param typed as the user typed it
   * @throws TotpRequired, TotpInvalid, TotpUnreadable
   */
  async require(userId: string, typed: string | undefined): Promise<void> {
    if (typed === undefined) throw new TotpRequired();
    if (!(await this.use(userId, typed))) throw new TotpInvalid(401);
  }

  /**
   * Uses a code up.
   * @returns false when it is wrong or used: of parallel uses one succeeds
   * @throws TotpUnreadable
   */
  async use(userId: string, typed: string): Promise<boolean> {
    const code = canonicalCode(typed);
    return isTotpCode(code) ? this.useTotp(userId, code) : this.useRecoveryCode(userId, code);
  }

  /** A keyed hash, which is stored in place of a recovery code. */
  fingerprint(userId: string, code: string): string {
    return this.secrets.fingerprint(`${userId}:${canonicalCode(code)}`, 'recovery-code');
  }

  /** The base32 secret. @throws TotpUnreadable */
  open(userId: string, sealed: string): string {
    try {
      return this.secrets.open<SealedTotp>(sealed, userId).secret;
    } catch (error) {
      throw error instanceof SecretUnreadable ? new TotpUnreadable(error) : error;
    }
  }

  private async useTotp(userId: string, code: string): Promise<boolean> {
    const sealed = await this.factors.findEnabled(userId);
    if (!sealed) return false;
    const step = stepOfCode(this.open(userId, sealed), code, Date.now());
    return step !== null && this.factors.useStep(userId, sealed, step);
  }

  private useRecoveryCode(userId: string, code: string): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      const used = await this.recoveryCodes.use(userId, this.fingerprint(userId, code), transaction);
      if (used) {
        await this.audit.record({ action: 'recovery-code.used', userId, actorId: userId }, transaction);
      }
      return used;
    });
  }
}
