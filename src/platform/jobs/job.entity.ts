import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../database/column-values';
import type { JobQueue } from './job-queue';

export type JobStatus = 'pending' | 'active' | 'completed' | 'failed' | 'cancelled';

export interface JobFailure {
  readonly item: string;
  /** Stable; absent in failures of earlier versions. */
  readonly code?: string;
  /** The same for people: a sentence, or the code once more. */
  readonly reason: string;
}

/** The truth about a job; the queue only wakes workers up. */
@Entity('jobs')
@Index('jobs_user_id_number_idx', ['userId', 'number'])
@Index('jobs_mailbox_account_id_idx', ['mailboxAccountId'])
@Index('jobs_ended_idx', ['userId', 'completedAt'], { where: `status IN ('completed', 'failed')` })
@Index('jobs_status_number_idx', ['status', 'number'])
@Index('jobs_open_idx', { synchronize: false })
@Index('jobs_idempotency_key', { synchronize: false })
@Index('jobs_user_open_idx', { synchronize: false })
@Index('jobs_long_payloads_idx', { synchronize: false })
@Index('jobs_uncleared_idx', { synchronize: false })
@Index('jobs_completed_at_idx', { synchronize: false })
export class JobEntity {
  @PrimaryColumn('uuid') id: string;

  @Generated('increment')
  @Index('jobs_number_key', { unique: true })
  @Column('bigint', { transformer: bigintAsNumber })
  number: number;

  @Column('varchar', { length: 64 }) type: string;
  @Column('varchar', { name: 'lane', length: 32 }) queue: JobQueue;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  mailboxAccountId: string | null;

  @Column('varchar', { length: 16, default: 'pending' }) status: JobStatus;
  @Column('integer', { default: 0 }) total: number;
  @Column('integer', { default: 0 }) processed: number;
  @Column('integer', { default: 0 }) failed: number;
  @Column('jsonb') payload: Record<string, unknown>;
  /** The payload as lists show it; null when it is short enough to be shown whole. */
  @Column('jsonb', { nullable: true }) payloadPreview: Record<string, unknown> | null;
  /** Passphrases and passwords, sealed; erased when the job ends. */
  @Column('text', { nullable: true }) sealedSecrets: string | null;
  @Column('jsonb', { nullable: true }) checkpoint: Record<string, unknown> | null;
  @Column('jsonb', { default: () => "'[]'" }) failures: JobFailure[];
  @Column('jsonb', { nullable: true }) result: Record<string, unknown> | null;
  /** A sentence for people. */
  @Column('text', { nullable: true }) error: string | null;
  /** Stable code of the failure, e.g. `mailbox-reauth-required`. */
  @Column('varchar', { length: 64, nullable: true }) errorCode: string | null;

  /** Number of times that a worker has begun the job. */
  @Column('integer', { default: 0 }) attempts: number;
  /** Attempts lost with their process since items were last done. */
  @Column('integer', { default: 0 }) lostAttempts: number;
  /** A pending job waits until then; null: it may begin at once. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  /** Time until which the last postponement was asked for; it is tried again at `dueAt`, which may be earlier. */
  @Column('timestamptz', { nullable: true }) waitsUntil: Date | null;
  /** Stable code of the reason for the last postponement. */
  @Column('varchar', { length: 64, nullable: true }) waitsFor: string | null;
  /** Number of times that the job was postponed since items were last done. */
  @Column('integer', { default: 0 }) postponements: number;
  /** Number of times that the job was taken up again after it had failed or been cancelled. */
  @Column('integer', { default: 0 }) resumptions: number;
  /** Names the request that took it up again last; null when that request had no key. */
  @Column('varchar', { length: 255, nullable: true }) resumeKey: string | null;
  /** When it was taken up again last. */
  @Column('timestamptz', { nullable: true }) resumedAt: Date | null;
  /** Payload, checkpoint and failures are deleted: it ended long ago. */
  @Column('boolean', { default: false }) isCleared: boolean;
  /** Names the attempt that owns the row; a process whose token is gone must stop. */
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
  @Column('timestamptz', { nullable: true }) cancelRequestedAt: Date | null;

  /** Copied from the job's definition at its start: a deactivation need not know the kind. */
  @Column('boolean', { default: false }) survivesDeactivation: boolean;

  @Column('varchar', { length: 255, nullable: true }) idempotencyKey: string | null;
  @Column('varchar', { length: 64, nullable: true }) requestHash: string | null;

  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) completedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
