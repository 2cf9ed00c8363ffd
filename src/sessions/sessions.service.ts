import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { newId } from '../common/database/ids';
import { Transaction, Transactions } from '../common/database/transactions';
import { AccessChanges } from './access-changes';
import type { Device } from './device';
import { hashRefreshToken, newRefreshToken } from './session-tokens';
import { LiveSession, RefreshTokensRepository, SessionsRepository } from './sessions.repository';

/** A refresh token, and with it an idle session, lives this long. */
export const SESSION_DAYS = 30;

export interface IssuedSession {
  readonly sessionId: string;
  readonly userId: string;
  /** Shown once; only its hash is stored. */
  readonly refreshToken: string;
}

/** Opens, extends and ends sessions. */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger(SessionsService.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly refreshTokens: RefreshTokensRepository,
    private readonly accessChanges: AccessChanges,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  async open(userId: string, device: Device, transaction: Transaction): Promise<IssuedSession> {
    const sessionId = newId();
    await this.sessions.insert({ id: sessionId, userId, device, days: SESSION_DAYS }, transaction);
    return this.issue(sessionId, userId, transaction);
  }

  /**
   * Exchanges a refresh token for the next one. A token that was used before ends its session: it was stolen, and
   * nothing tells the thief from the owner.
   * @returns null when the token is unknown or used, or its session or user is no longer alive
   */
  rotate(refreshToken: string): Promise<IssuedSession | null> {
    const tokenHash = hashRefreshToken(refreshToken);
    return this.transactions.run(async (transaction) => {
      const sessionId = await this.refreshTokens.use(tokenHash, transaction);
      if (!sessionId) {
        await this.endReused(tokenHash, transaction);
        return null;
      }
      const userId = await this.sessions.extend(sessionId, SESSION_DAYS, transaction);
      return userId ? this.issue(sessionId, userId, transaction) : null;
    });
  }

  /** Ends one session; its access tokens are refused from now on. */
  async end(sessionId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const userId = await this.sessions.revoke(sessionId, transaction);
      transaction.afterCommit(() => this.accessChanges.announce({ sessionId }));
      if (!userId) return;
      const target = { type: 'session', id: sessionId };
      await this.audit.record({ action: 'session.ended', userId, target }, transaction);
    });
  }

  /** Ends every session of a user once the transaction commits. */
  async endAllOf(userId: string, transaction: Transaction): Promise<void> {
    await this.sessions.revokeAllOf(userId, transaction);
    transaction.afterCommit(() => this.accessChanges.announce({ userId }));
  }

  /** Ends every session of a user but one once the transaction commits. */
  async endOthersOf(userId: string, sessionId: string, transaction: Transaction): Promise<void> {
    await this.sessions.revokeOthersOf(userId, sessionId, transaction);
    transaction.afterCommit(() => this.accessChanges.announce({ userId }));
  }

  /** Reads the database instead of the cache, for decisions that must be current. */
  findLive(sessionId: string): Promise<LiveSession | null> {
    return this.sessions.findLive(sessionId);
  }

  /** @returns how many were deleted */
  deleteEnded(): Promise<number> {
    return this.sessions.deleteEnded(SESSION_DAYS);
  }

  private async issue(sessionId: string, userId: string, transaction: Transaction): Promise<IssuedSession> {
    const refreshToken = newRefreshToken();
    await this.refreshTokens.insert(hashRefreshToken(refreshToken), sessionId, transaction);
    return { sessionId, userId, refreshToken };
  }

  private async endReused(tokenHash: Buffer, transaction: Transaction): Promise<void> {
    const sessionId = await this.refreshTokens.findSession(tokenHash, transaction);
    if (!sessionId) return;
    const userId = await this.sessions.revoke(sessionId, transaction);
    if (userId) {
      const target = { type: 'session', id: sessionId };
      await this.audit.record(
        { action: 'refresh-token.reused', outcome: 'failure', userId, target },
        transaction,
      );
    }
    transaction.afterCommit(async () => {
      this.logger.warn(`A refresh token was used twice: session ${sessionId} ended`);
      await this.accessChanges.announce({ sessionId });
    });
  }
}
