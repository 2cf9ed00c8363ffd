import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { AuditHead } from '../audit-hashes';
import type { StoredEntry } from './chain-check';

/** The log at one moment. */
export interface AuditSnapshot {
  /** null when nothing has been recorded, or when it was deleted. */
  head(): Promise<AuditHead | null>;
  /** Entries after a sequence, oldest first. */
  after(sequence: number, limit: number): Promise<StoredEntry[]>;
}

type Row = Omit<StoredEntry, 'sequence'> & { readonly sequence: string };

const COLUMNS = `sequence, id, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "occurredAt",
  action, outcome, actor_kind AS "actorKind", actor_id AS "actorId", user_id AS "userId", account_id AS "accountId",
  target_type AS "targetType", target_id AS "targetId", address, request_id AS "requestId",
  api_key_id AS "apiKeyId", job_id AS "jobId", details, hash`;

/** Reads the whole log, while it is written to. */
@Injectable()
export class AuditSnapshotRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Changes nothing, and sees nothing of what is added meanwhile. */
  read<T>(work: (snapshot: AuditSnapshot) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work({ head: () => head(manager), after: (sequence, limit) => after(manager, sequence, limit) });
    });
  }
}

async function head(manager: EntityManager): Promise<AuditHead | null> {
  const [row] = await manager.query<{ sequence: string; hash: Buffer; mac: Buffer }[]>(
    'SELECT sequence, hash, mac FROM audit_head WHERE id = 1',
  );
  return row ? { ...row, sequence: Number(row.sequence) } : null;
}

async function after(manager: EntityManager, sequence: number, limit: number): Promise<StoredEntry[]> {
  const rows = await manager.query<Row[]>(
    `SELECT ${COLUMNS} FROM audit_entries WHERE sequence > $1 ORDER BY audit_entries.sequence LIMIT $2`,
    [sequence, limit],
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}
