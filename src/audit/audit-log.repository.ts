import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, In } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { AuditEntryEntity } from './audit-entry.entity';
import { typedRows, column } from '../common/database/row-shape';

/** Which entries; absent fields let all through. */
export interface AuditFilter {
  /** With a dot at its end: what an action begins with. Of letters, digits, dots and hyphens. */
  readonly action?: string;
  readonly outcome?: string;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly userId?: string;
  readonly actorId?: string;
  readonly accountId?: string;
}

export interface Excerpt {
  readonly limit: number;
  readonly offset: number;
}

/** An entry with the present addresses of the people in it. */
export interface ListedEntry extends AuditEntryEntity {
  readonly actorEmail: string | null;
  readonly userEmail: string | null;
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What people read of the audit log, newest first, with the number of all matches of the same moment. */
@Injectable()
export class AuditLogRepository extends BaseRepository<AuditEntryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AuditEntryEntity);
  }

  /** Of everybody. */
  page(filter: AuditFilter, { limit, offset }: Excerpt): Promise<{ entries: ListedEntry[]; total: number }> {
    const { sql, parameters } = conditionOf(filter, []);
    return this.snapshot(async (manager) => {
      // The log has no gaps: how long it is says its end.
      const total = sql
        ? await numberOf(manager, `SELECT count(*) AS number FROM audit_entries WHERE true${sql}`, parameters)
        : await numberOf(manager, 'SELECT sequence AS number FROM audit_head', []);
      const shown = typedRows(
        { sequence: column.text },
        await manager.query(
          `SELECT sequence FROM audit_entries WHERE true${sql} ORDER BY sequence DESC LIMIT ${limit} OFFSET ${offset}`,
          [...parameters],
        ),
      );
      const entries = await this.entries(manager, shown);
      const emails = await emailsOf(
        manager,
        entries.flatMap(({ actorId, userId }) => [actorId, userId]),
      );
      const emailOf = (id: string | null): string | null => (id === null ? null : (emails.get(id) ?? null));
      const listed = entries.map((entry) => ({
        ...entry,
        actorEmail: emailOf(entry.actorId),
        userEmail: emailOf(entry.userId),
      }));
      return { entries: listed, total };
    });
  }

  /** What concerns a user, and what they did. */
  pageOf(
    userId: string,
    filter: Omit<AuditFilter, 'userId' | 'actorId' | 'accountId'>,
    { limit, offset }: Excerpt,
  ): Promise<{ entries: AuditEntryEntity[]; total: number }> {
    const { sql, parameters } = conditionOf(filter, [userId]);
    // Apart, and each from its own index: the one is all of most people's, the other administrators' acts on others.
    const parts = ['user_id = $1', 'actor_id = $1 AND user_id IS DISTINCT FROM actor_id'].map(
      (part) => `FROM audit_entries WHERE ${part}${sql}`,
    );
    return this.snapshot(async (manager) => {
      const counts = parts.map((part) => `(SELECT count(*) ${part})`).join(' + ');
      const total = await numberOf(manager, `SELECT ${counts} AS number`, parameters);
      const heads = parts.map(
        (part) => `(SELECT sequence ${part} ORDER BY sequence DESC LIMIT ${offset + limit})`,
      );
      const shown = typedRows(
        { sequence: column.text },
        await manager.query(
          `SELECT sequence FROM (${heads.join(' UNION ALL ')}) listed
         ORDER BY sequence DESC LIMIT ${limit} OFFSET ${offset}`,
          [...parameters],
        ),
      );
      return { entries: await this.entries(manager, shown), total };
    });
  }

  private snapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', work);
  }

  private entries(
    manager: EntityManager,
    shown: readonly { sequence: string }[],
  ): Promise<AuditEntryEntity[]> {
    const sequence = In(shown.map((entry) => Number(entry.sequence)));
    return manager.getRepository(AuditEntryEntity).find({ where: { sequence }, order: { sequence: 'DESC' } });
  }
}

function conditionOf(filter: Partial<AuditFilter>, given: readonly unknown[]): Condition {
  const { action, outcome, from, until, userId, actorId, accountId } = filter;
  const isPrefix = action?.endsWith('.') ?? false;
  const candidates: readonly [string, unknown][] = [
    [isPrefix ? 'action LIKE ?' : 'action = ?', isPrefix ? `${action}%` : action],
    ['outcome = ?', outcome],
    ['occurred_at >= ?', from],
    ['occurred_at < ?', until],
    ['user_id = ?', userId],
    ['actor_id = ?', actorId],
    ['account_id = ?', accountId],
  ];
  const wanted = candidates.filter(([, value]) => value !== undefined && value !== null);
  const sql = wanted.map(([text], index) => ` AND ${text.replace('?', `$${given.length + index + 1}`)}`);
  return { sql: sql.join(''), parameters: [...given, ...wanted.map(([, value]) => value)] };
}

async function numberOf(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<number> {
  const [row] = typedRows({ number: column.text }, await manager.query(sql, [...parameters]));
  return Number(row?.number ?? 0);
}

async function emailsOf(
  manager: EntityManager,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const users = typedRows(
    { id: column.text, email: column.text },
    await manager.query('SELECT id, email FROM users WHERE id = ANY($1::uuid[])', [
      [...new Set(ids.filter((id) => id !== null))],
    ]),
  );
  return new Map(users.map(({ id, email }) => [id, email]));
}
