import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, In } from 'typeorm';
import { BaseRepository } from '../database/base.repository';
import { column, typedRows } from '../database/row-shape';
import { AuditEntryEntity } from './audit-entry.entity';
import { type AuditGroup, groupCondition } from './audit-groups';

/** Absent fields match every entry. */
export interface AuditFilter {
  /** An action; with a dot at its end, the beginning of actions. Letters, digits, dots and hyphens. */
  readonly action?: string;
  readonly group?: AuditGroup;
  readonly outcome?: string;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly userId?: string;
  readonly actorId?: string;
  readonly accountId?: string;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** An entry with the present e-mail addresses of its users. */
export interface ListedEntry extends AuditEntryEntity {
  readonly actorEmail: string | null;
  readonly userEmail: string | null;
}

type OwnFilter = Omit<AuditFilter, 'userId' | 'actorId'>;

/** Two parts, each from its own index: entries about a user, and the user's acts on others (administrators). */
const OWN_PARTS = ['user_id = $1', 'actor_id = $1 AND user_id IS DISTINCT FROM actor_id'];

/** Entries before a sequence; all when there is none. */
const isBefore = (parameter: string): string =>
  `sequence < coalesce(${parameter}::bigint, 9223372036854775807)`;

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Pages of the audit log, newest first, with the number of all matches at the same moment. */
@Injectable()
export class AuditLogRepository extends BaseRepository<AuditEntryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AuditEntryEntity);
  }

  /** Entries of all users. */
  findPage(
    filter: AuditFilter,
    { limit, offset }: Slice,
  ): Promise<{ entries: ListedEntry[]; total: number }> {
    const { sql, parameters } = conditionOf(filter, []);
    return this.readInSnapshot(async (manager) => {
      // Sequences have no gaps: the head's is the number of entries.
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
      return { entries: await this.findListed(manager, shown), total };
    });
  }

  /** Entries of all users before a sequence, or the newest. */
  findBefore(filter: AuditFilter, before: number | null, limit: number): Promise<ListedEntry[]> {
    const { sql, parameters } = conditionOf(filter, [before]);
    return this.readInSnapshot(async (manager) => {
      const shown = typedRows(
        { sequence: column.text },
        await manager.query(
          `SELECT sequence FROM audit_entries WHERE ${isBefore('$1')}${sql} ORDER BY sequence DESC LIMIT ${limit}`,
          [...parameters],
        ),
      );
      return this.findListed(manager, shown);
    });
  }

  /** Entries about a user and entries of their own acts. */
  pageOf(
    userId: string,
    filter: OwnFilter,
    { limit, offset }: Slice,
  ): Promise<{ entries: AuditEntryEntity[]; total: number }> {
    const { sql, parameters } = conditionOf(filter, [userId]);
    const parts = OWN_PARTS.map((part) => `FROM audit_entries WHERE ${part}${sql}`);
    return this.readInSnapshot(async (manager) => {
      const counts = parts.map((part) => `(SELECT count(*) ${part})`).join(' + ');
      const total = await numberOf(manager, `SELECT ${counts} AS number`, parameters);
      const shown = await newestOf(manager, parts, parameters, { limit, offset });
      return { entries: await this.findEntries(manager, shown), total };
    });
  }

  /** Entries as `pageOf` has them, before a sequence, or the newest. */
  findOwnBefore(
    userId: string,
    filter: OwnFilter,
    before: number | null,
    limit: number,
  ): Promise<AuditEntryEntity[]> {
    const { sql, parameters } = conditionOf(filter, [userId, before]);
    const parts = OWN_PARTS.map((part) => `FROM audit_entries WHERE ${part} AND ${isBefore('$2')}${sql}`);
    return this.readInSnapshot(async (manager) =>
      this.findEntries(manager, await newestOf(manager, parts, parameters, { limit, offset: 0 })),
    );
  }

  private readInSnapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', work);
  }

  private async findListed(
    manager: EntityManager,
    shown: readonly { sequence: string }[],
  ): Promise<ListedEntry[]> {
    const entries = await this.findEntries(manager, shown);
    const emails = await emailsOf(
      manager,
      entries.flatMap(({ actorId, userId }) => [actorId, userId]),
    );
    const emailOf = (id: string | null): string | null => (id === null ? null : (emails.get(id) ?? null));
    return entries.map((entry) => ({
      ...entry,
      actorEmail: emailOf(entry.actorId),
      userEmail: emailOf(entry.userId),
    }));
  }

  private findEntries(
    manager: EntityManager,
    shown: readonly { sequence: string }[],
  ): Promise<AuditEntryEntity[]> {
    const sequence = In(shown.map((entry) => Number(entry.sequence)));
    return manager.getRepository(AuditEntryEntity).find({ where: { sequence }, order: { sequence: 'DESC' } });
  }
}

/** The newest rows of the parts together. */
async function newestOf(
  manager: EntityManager,
  parts: readonly string[],
  parameters: readonly unknown[],
  { limit, offset }: Slice,
): Promise<{ sequence: string }[]> {
  const heads = parts.map(
    (part) => `(SELECT sequence ${part} ORDER BY sequence DESC LIMIT ${offset + limit})`,
  );
  return typedRows(
    { sequence: column.text },
    await manager.query(
      `SELECT sequence FROM (${heads.join(' UNION ALL ')}) listed
       ORDER BY sequence DESC LIMIT ${limit} OFFSET ${offset}`,
      [...parameters],
    ),
  );
}

function conditionOf(filter: Partial<AuditFilter>, given: readonly unknown[]): Condition {
  const { action, group, outcome, from, until, userId, actorId, accountId } = filter;
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
  if (group) sql.push(` AND ${groupCondition(group)}`);
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
