import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { storableJson } from '../common/database/storable-json';
import type { Transaction } from '../common/database/transactions';
import { AuditEntryEntity } from './audit-entry.entity';

export type NewAuditEntry = Omit<AuditEntryEntity, 'hash'>;

/** Where the record ends; `hash` is empty before the first entry. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: Buffer;
}

@Injectable()
export class AuditEntriesRepository extends BaseRepository<AuditEntryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AuditEntryEntity);
  }

  /** Locks the end of the record until the transaction is over: entries follow one another. */
  async lockHead(transaction: Transaction): Promise<AuditHead> {
    const [head] = await this.rows<{ sequence: string; hash: Buffer }>(
      'SELECT sequence, hash FROM audit_head WHERE id = 1 FOR UPDATE',
      [],
      transaction,
    );
    if (!head) throw new Error('The end of the audit log is missing.');
    return { sequence: Number(head.sequence), hash: head.hash };
  }

  async append(entry: NewAuditEntry, hash: Buffer, transaction: Transaction): Promise<void> {
    await this.rows(
      `INSERT INTO audit_entries (sequence, id, occurred_at, action, outcome, actor_kind, actor_id, user_id, account_id,
                                  target_type, target_id, address, request_id, details, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
        storableJson(entry.details),
        hash,
      ],
      transaction,
    );
    await this.affected(
      'UPDATE audit_head SET sequence = $1, hash = $2 WHERE id = 1',
      [entry.sequence, hash],
      transaction,
    );
  }
}
