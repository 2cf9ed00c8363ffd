import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { AccessChanges } from './access-changes';
import type { Device } from './device';
import { hashRefreshToken, newRefreshToken } from './session-tokens';
import { RefreshInProgress } from './sessions.errors';
import {
  ListedSession,
  LiveSession,
  RefreshTokensRepository,
  SessionsRepository,
} from './sessions.repository';

/** A refresh token, and with it an idle session, lives this long. */
export const SESSION_DAYS = 30;

/** Tabs that find their access token expired at the same time send the same refresh token within this time. */
const SHARED_SECONDS = 10;

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
   * @param shared the tabs of a browser share the token: one that was used a moment ago is no sign of theft
   * @returns null when the token is unknown or used, or its session or user is no longer alive
   * @throws RefreshInProgress
   */
  rotate(refreshToken: string, { shared }: { readonly shared: boolean }): Promise<IssuedSession | null> {
    const tokenHash = hashRefreshToken(refreshToken);
    return this.transactions.run(async (transaction) => {
      const sessionId = await this.refreshTokens.use(tokenHash, transaction);
      if (!sessionId) {
        const issued = await this.refreshTokens.findIssued(tokenHash, SHARED_SECONDS, transaction);
        if (issued?.usedJustNow && shared) throw new RefreshInProgress();
        if (issued) await this.endReused(issued.sessionId, transaction);
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

  /** The user's live sessions, the one used last first. */
  list(userId: string): Promise<ListedSession[]> {
    return this.sessions.listLiveOf(userId);
  }

  /** Ends a session of the user's, on whatever device. @throws ResourceNotFound when they have none of that id alive */
  async endOwned(userId: string, sessionId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.sessions.revokeLiveOf(userId, sessionId, transaction))) {
        throw new ResourceNotFound('session');
      }
      transaction.afterCommit(() => this.accessChanges.announce({ sessionId }));
      const target = { type: 'session', id: sessionId };
      await this.audit.record({ action: 'session.ended', userId, target }, transaction);
    });
  }

  /** Ends every session of a user but the one they ask in. */
  async endOthers(userId: string, sessionId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const ended = await this.endOthersOf(userId, sessionId, transaction);
      if (ended === 0) return;
      await this.audit.record(
        { action: 'sessions.others-ended', userId, details: { sessions: ended } },
        transaction,
      );
    });
  }

  /** Ends every session of a user once the transaction commits. */
  async endAllOf(userId: string, transaction: Transaction): Promise<void> {
    await this.sessions.revokeAllOf(userId, transaction);
    transaction.afterCommit(() => this.accessChanges.announce({ userId }));
  }

  /** Ends every session of a user but one once the transaction commits. @returns how many */
  async endOthersOf(userId: string, sessionId: string, transaction: Transaction): Promise<number> {
    const ended = await this.sessions.revokeOthersOf(userId, sessionId, transaction);
    transaction.afterCommit(() => this.accessChanges.announce({ userId }));
    return ended;
  }

  /** Reads the database instead of the cache, for decisions that must be current. */
  findLive(sessionId: string): Promise<LiveSession | null> {
    return this.sessions.findLive(sessionId);
  }

  /** @returns number of sessions deleted */
  deleteEnded(): Promise<number> {
    return this.sessions.deleteEnded(SESSION_DAYS);
  }

  private async issue(sessionId: string, userId: string, transaction: Transaction): Promise<IssuedSession> {
    const refreshToken = newRefreshToken();
    await this.refreshTokens.insert(hashRefreshToken(refreshToken), sessionId, transaction);
    return { sessionId, userId, refreshToken };
  }

  private async endReused(sessionId: string, transaction: Transaction): Promise<void> {
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
