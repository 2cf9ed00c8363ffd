import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditDetails } from '../access/audit-trail.port';
import { bigintAsNumber } from '../database/column-values';

export type AuditActorKind = 'user' | 'api-key' | 'operator' | 'service' | 'anonymous';

/**
 * One act. Triggers refuse to change or delete rows; each has a hash over itself and the row before. Users are named by
 * id without a foreign key, because the log outlives them.
 */
@Entity('audit_entries')
@Index('audit_entries_user_idx', ['userId', 'sequence'])
@Index('audit_entries_actor_idx', ['actorId', 'sequence'])
@Index('audit_entries_others_idx', { synchronize: false })
@Index('audit_entries_account_idx', ['accountId', 'sequence'])
@Index('audit_entries_action_idx', { synchronize: false })
@Index('audit_entries_time_idx', ['occurredAt'])
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
  /** IP address of the client. */
  @Column('varchar', { length: 64, nullable: true }) address: string | null;
  @Column('varchar', { length: 64, nullable: true }) requestId: string | null;
  /** The API key of a request without a session. */
  @Column('uuid', { nullable: true }) apiKeyId: string | null;
  /** The job that was started or that acted: `<kind>-<number>`. */
  @Column('varchar', { length: 96, nullable: true }) jobId: string | null;
  @Column('jsonb') details: AuditDetails;
  /** Keyed, over all other columns and the hash of the entry before. */
  @Column('bytea') hash: Buffer;
}

/** The end of the log. Adding an entry locks its one row, which also reveals when the end has been cut off. */
@Entity('audit_head')
export class AuditHeadEntity {
  @PrimaryColumn('integer') id: number;
  @Column('bigint', { transformer: bigintAsNumber }) sequence: number;
  @Column('bytea') hash: Buffer;
  /** HMAC of the two others: without the key they cannot be replaced to fit a log that was cut. Empty at first. */
  @Column('bytea') mac: Buffer;
}
