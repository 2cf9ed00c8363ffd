import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository } from '../database/base.repository';
import { storableJson } from '../database/column-values';
import { column, RowShape, typedRows } from '../database/row-shape';
import type { Transaction } from '../database/transactions';
import { AuditEntryEntity } from './audit-entry.entity';
import type { AuditHead, NewAuditEntry } from './audit-hashes';
import type { StoredEntry } from './chain-check';

/** The log at one moment, for reading all of it. */
export interface AuditSnapshot {
  /** The head; null before the first entry, or when it was deleted from the database. */
  readHead(): Promise<AuditHead | null>;
  /** Entries after a sequence, oldest first. */
  readAfter(sequence: number, limit: number): Promise<StoredEntry[]>;
}

type StoredEntryRow = Omit<StoredEntry, 'sequence'> & { readonly sequence: string };

const STORED_ENTRY_ROW: RowShape<StoredEntryRow> = {
  id: column.text,
  hash: column.bytes,
  occurredAt: column.text,
  action: column.text,
  outcome: column.oneOf(['success', 'failure']),
  actorKind: column.oneOf(['user', 'api-key', 'operator', 'service', 'anonymous']),
  actorId: column.nullable(column.text),
  userId: column.nullable(column.text),
  accountId: column.nullable(column.text),
  targetType: column.nullable(column.text),
  targetId: column.nullable(column.text),
  address: column.nullable(column.text),
  requestId: column.nullable(column.text),
  apiKeyId: column.nullable(column.text),
  jobId: column.nullable(column.text),
  details: column.json<Readonly<Record<string, string | number | boolean | readonly string[] | null>>>(),
  sequence: column.text,
};

const COLUMNS = `sequence, id, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "occurredAt",
  action, outcome, actor_kind AS "actorKind", actor_id AS "actorId", user_id AS "userId", account_id AS "accountId",
  target_type AS "targetType", target_id AS "targetId", address, request_id AS "requestId",
  api_key_id AS "apiKeyId", job_id AS "jobId", details, hash`;

/**
 * Transactions hold the head for an instant; when one takes longer, something is wrong, and others must not hang on it.
 * Waiting transactions hold locks themselves, and PostgreSQL may let them wait twice: less than half a job's lease.
 */
const LOCK_TIMEOUT = '4s';

@Injectable()
export class AuditEntriesRepository extends BaseRepository<AuditEntryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AuditEntryEntity);
  }

  /** Locks the head until the transaction ends: every entry follows the one before. */
  async lockHead(transaction: Transaction): Promise<AuditHead> {
    const [head] = await this.queryRows(
      { sequence: column.text, hash: column.bytes, mac: column.bytes },
      `WITH timeout AS MATERIALIZED (SELECT set_config('lock_timeout', $1, true))
       SELECT sequence, hash, mac FROM audit_head, timeout WHERE id = 1 FOR UPDATE OF audit_head`,
      [LOCK_TIMEOUT],
      transaction,
    );
    if (head) return { ...head, sequence: Number(head.sequence) };
    // There is no head before the first entry, or after it was deleted from the database.
    await this.execute(
      `INSERT INTO audit_head (id, sequence, hash, mac) VALUES (1, 0, '', '') ON CONFLICT DO NOTHING`,
      [],
      transaction,
    );
    return this.lockHead(transaction);
  }

  /** The last entry, whatever the head says. */
  async findLast(transaction: Transaction): Promise<Pick<AuditEntryEntity, 'sequence' | 'hash'> | null> {
    const [entry] = await this.queryRows(
      { sequence: column.text, hash: column.bytes },
      'SELECT sequence, hash FROM audit_entries ORDER BY sequence DESC LIMIT 1',
      [],
      transaction,
    );
    return entry ? { ...entry, sequence: Number(entry.sequence) } : null;
  }

  async append(entry: NewAuditEntry, head: AuditHead, transaction: Transaction): Promise<void> {
    await this.execute(
      `WITH head AS (UPDATE audit_head SET sequence = $1, hash = $17, mac = $18 WHERE id = 1)
       INSERT INTO audit_entries (sequence, id, occurred_at, action, outcome, actor_kind, actor_id, user_id, account_id,
                                  target_type, target_id, address, request_id, api_key_id, job_id, details, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [
        entry.sequence,
        entry.id,
        entry.occurredAt,
        entry.action,
        entry.outcome,
        entry.actorKind,
        entry.actorId,
        entry.userId,
        entry.accountId,
        entry.targetType,
        entry.targetId,
        entry.address,
        entry.requestId,
        entry.apiKeyId,
        entry.jobId,
        storableJson(entry.details),
        head.hash,
        head.mac,
      ],
      transaction,
    );
  }

  /** Reads the log as it is when the first statement begins, whatever is added meanwhile. */
  readSnapshot<T>(work: (snapshot: AuditSnapshot) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work({
        readHead: () => head(manager),
        readAfter: (sequence, limit) => readAfter(manager, sequence, limit),
      });
    });
  }
}

async function head(manager: EntityManager): Promise<AuditHead | null> {
  const [row] = typedRows(
    { sequence: column.text, hash: column.bytes, mac: column.bytes },
    await manager.query('SELECT sequence, hash, mac FROM audit_head WHERE id = 1'),
  );
  return row ? { ...row, sequence: Number(row.sequence) } : null;
}

async function readAfter(manager: EntityManager, sequence: number, limit: number): Promise<StoredEntry[]> {
  const rows = typedRows(
    STORED_ENTRY_ROW,
    await manager.query(
      `SELECT ${COLUMNS} FROM audit_entries WHERE sequence > $1 ORDER BY audit_entries.sequence LIMIT $2`,
      [sequence, limit],
    ),
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}
