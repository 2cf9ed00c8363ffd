import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';
import type { AuditDetails } from '../common/audit/audit-trail.port';

export type AuditActorKind = 'user' | 'api-key' | 'operator' | 'service' | 'anonymous';

/**
 * One act. Rows are only ever added (triggers see to it), each with a hash over itself and the one before. Users are
 * named by id without a reference: the record outlives them.
 */
@Entity('audit_entries')
@Index('audit_entries_user_idx', ['userId', 'sequence'])
@Index('audit_entries_actor_idx', ['actorId', 'sequence'])
export class AuditEntryEntity {
  /** Without gaps, from 1. */
  @PrimaryColumn('bigint', { transformer: bigintAsNumber }) sequence: number;

  @Index('audit_entries_id_key', { unique: true })
  @Column('uuid')
  id: string;

  @Column('timestamptz') occurredAt: Date;
  @Column('varchar', { length: 64 }) action: string;
  @Column('varchar', { length: 16 }) outcome: 'success' | 'failure';
  @Column('varchar', { length: 16 }) actorKind: AuditActorKind;
  @Column('uuid', { nullable: true }) actorId: string | null;
  @Column('uuid', { nullable: true }) userId: string | null;
  @Column('uuid', { nullable: true }) accountId: string | null;
  @Column('varchar', { length: 32, nullable: true }) targetType: string | null;
  @Column('varchar', { length: 128, nullable: true }) targetId: string | null;
  /** Of the client, IPv4 or IPv6. */
  @Column('varchar', { length: 64, nullable: true }) address: string | null;
  @Column('varchar', { length: 64, nullable: true }) requestId: string | null;
  @Column('jsonb') details: AuditDetails;
  @Column('bytea') hash: Buffer;
}
