import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import type { UserRole } from '../../platform/access/authenticated-user';
import type { Device } from './device';
import { RefreshTokenEntity, SessionEntity } from './session.entity';
import { column, RowShape } from '../../platform/database/row-shape';

/** A session that may be used now, with its user. */
export interface LiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: UserRole;
}

/** A live session as its user sees it. */
export interface ListedSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

const LISTED_SESSION_ROW: RowShape<ListedSession> = {
  id: column.text,
  userAgent: column.nullable(column.text),
  ipAddress: column.nullable(column.text),
  createdAt: column.date,
  lastUsedAt: column.date,
};

const LIVE_SESSION_ROW: RowShape<LiveSession> = {
  sessionId: column.text,
  userId: column.text,
  email: column.text,
  role: column.oneOf(['admin', 'user']),
};

/** Far more than a person has devices; a program that signs in over and over could have any number. */
const MAX_LISTED = 500;

const LIVE = 's.revoked_at IS NULL AND s.expires_at > now() AND u.is_active';

@Injectable()
export class SessionsRepository extends BaseRepository<SessionEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SessionEntity);
  }

  async insert(
    session: { id: string; userId: string; device: Device; days: number },
    transaction: Transaction,
  ): Promise<void> {
    const { id, userId, device, days } = session;
    await this.execute(
      `INSERT INTO sessions (id, user_id, user_agent, ip_address, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(days => $5))`,
      [id, userId, device.userAgent, device.ipAddress, days],
      transaction,
    );
  }

  /** null when the session was ended or has expired, or its user is gone or inactive. */
  async findLive(sessionId: string): Promise<LiveSession | null> {
    const [session] = await this.queryRows(
      LIVE_SESSION_ROW,
      `SELECT s.id AS "sessionId", u.id AS "userId", u.email, u.role
       FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1 AND ${LIVE}`,
      [sessionId],
    );
    return session ?? null;
  }

  /** The user's live sessions, the one used last first. */
  listLiveOf(userId: string): Promise<ListedSession[]> {
    return this.queryRows(
      LISTED_SESSION_ROW,
      `SELECT s.id, s.user_agent AS "userAgent", s.ip_address AS "ipAddress", s.created_at AS "createdAt",
              s.last_used_at AS "lastUsedAt"
       FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.user_id = $1 AND ${LIVE}
       ORDER BY s.last_used_at DESC, s.id DESC LIMIT ${MAX_LISTED}`,
      [userId],
    );
  }

  /** Extends a live session from now. @returns its user, or null when it is no longer alive */
  async extend(sessionId: string, days: number, transaction: Transaction): Promise<string | null> {
    const [session] = await this.queryRows(
      { userId: column.text },
      `UPDATE sessions s SET last_used_at = now(), expires_at = now() + make_interval(days => $2)
       FROM users u WHERE s.id = $1 AND u.id = s.user_id AND ${LIVE} RETURNING u.id AS "userId"`,
      [sessionId, days],
      transaction,
    );
    return session?.userId ?? null;
  }

  /** @returns its user, or null when it had ended before */
  async revoke(sessionId: string, transaction: Transaction): Promise<string | null> {
    const [revoked] = await this.queryRows(
      { userId: column.text },
      'UPDATE sessions SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING user_id AS "userId"',
      [sessionId],
      transaction,
    );
    return revoked?.userId ?? null;
  }

  /** @returns whether the user had such a session, and it was alive */
  async revokeLiveOf(userId: string, sessionId: string, transaction: Transaction): Promise<boolean> {
    const revoked = await this.executeAndCount(
      `UPDATE sessions SET revoked_at = now()
       WHERE id = $2 AND user_id = $1 AND revoked_at IS NULL AND expires_at > now()`,
      [userId, sessionId],
      transaction,
    );
    return revoked > 0;
  }

  async revokeAllOf(userId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL',
      [userId],
      transaction,
    );
  }

  /** @returns number that were alive */
  revokeOthersOf(userId: string, sessionId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      'UPDATE sessions SET revoked_at = now() WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL',
      [userId, sessionId],
      transaction,
    );
  }

  /**
   * Deletes sessions that ended (revoked ones are kept a day for questions) with their tokens, and tokens past
   * their lifetime. @returns sessions deleted
   */
  deleteEnded(tokenDays: number): Promise<number> {
    return this.executeAndCount(
      `WITH stale AS (DELETE FROM refresh_tokens WHERE created_at < now() - make_interval(days => $1))
       DELETE FROM sessions WHERE expires_at < now() OR revoked_at < now() - interval '1 day'`,
      [tokenDays],
    );
  }
}

@Injectable()
export class RefreshTokensRepository extends BaseRepository<RefreshTokenEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RefreshTokenEntity);
  }

  async insert(tokenHash: Buffer, sessionId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'INSERT INTO refresh_tokens (token_hash, session_id) VALUES ($1, $2)',
      [tokenHash, sessionId],
      transaction,
    );
  }

  /** Uses the token up. Of several at the same time one gets its session, the others null. */
  async use(tokenHash: Buffer, transaction: Transaction): Promise<string | null> {
    const [token] = await this.queryRows(
      { sessionId: column.text },
      `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL
       RETURNING session_id AS "sessionId"`,
      [tokenHash],
      transaction,
    );
    return token?.sessionId ?? null;
  }

  /**
   * The session a token was issued to, used or not; null when it was never issued.
   * @param seconds `usedJustNow` is true when the token was used within them, and its session goes on
   */
  async findIssued(
    tokenHash: Buffer,
    seconds: number,
    transaction: Transaction,
  ): Promise<{ sessionId: string; usedJustNow: boolean } | null> {
    const [token] = await this.queryRows(
      { sessionId: column.text, usedJustNow: column.boolean },
      `SELECT t.session_id AS "sessionId",
              coalesce(t.used_at > now() - make_interval(secs => $2), false) AND ${LIVE} AS "usedJustNow"
       FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
       WHERE t.token_hash = $1`,
      [tokenHash, seconds],
      transaction,
    );
    return token ?? null;
  }
}
