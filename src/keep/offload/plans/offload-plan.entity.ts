import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../platform/database/column-values';
import type { Allowed, BlockReason } from '../block-reasons';
import type { OffloadMode } from '../receipts/receipt';
import type { OffloadSelection, PlanCounts, PlanFigures, StoredPlanStatus } from './offload-plan';

/** Messages that a user wants to move out of the mailbox, and the progress of the move. */
@Entity('offload_plans')
@Index('offload_plans_account_idx', ['accountId', 'id'])
@Index('offload_plans_user_idx', ['userId'])
export class OffloadPlanEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Selection as it was requested. */
  @Column('jsonb') selection: OffloadSelection;
  @Column('varchar', { length: 16 }) mode: OffloadMode;
  @Column('jsonb') allowed: Allowed;
  /** Whether a schedule made the plan, not a person. */
  @Column('boolean', { default: false }) isScheduled: boolean;
  /** Stored part of the status: `stopped` and `expired` follow from the job and the time, see `OffloadPlansRepository`. */
  @Column('varchar', { length: 16 }) status: StoredPlanStatus;
  /** Figures of the plan; null: it is being made. */
  @Column('jsonb', { nullable: true }) figures: PlanFigures | null;
  @Column('jsonb', { nullable: true }) counts: PlanCounts | null;
  /** Digest of the messages that a confirmation moves, see `PlanDigest`; null: the plan is being made. */
  @Column('char', { length: 64, nullable: true }) digest: string | null;
  /** Position of the change history when the plan was begun. */
  @Column('text', { nullable: true }) plannedCursor: string | null;
  /** Position up to which the history has been read for changes of the plan's messages. */
  @Column('text', { nullable: true }) cursor: string | null;
  /** Whether the provider no longer had a part of the history: labels are then requested before messages are moved. */
  @Column('boolean', { default: false }) isHistoryLost: boolean;
  /** Batches moved so far: they number the chunks of the change journal. */
  @Column('integer', { default: 0 }) batches: number;
  /** Number of the job that makes the plan. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) planJobNumber: number | null;
  /** Number of the last job that moved messages. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) jobNumber: number | null;
  /** Time until which the plan can be confirmed. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}

/** A message of a plan. */
@Entity('offload_items')
@Index('offload_items_message_key', ['planId', 'messageId'], { unique: true })
@Index('offload_items_account_idx', ['accountId'])
@Index('offload_items_unsettled_idx', ['planId'], { where: `state IN ('trashing', 'unknown')` })
export class OffloadItemEntity {
  @ForeignKey('OffloadPlanEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  planId: string;

  @PrimaryColumn('integer') position: number;
  @Column('uuid') accountId: string;
  @Column('text') messageId: string;
  /** Id of the copy. There is no foreign key: data on the message outlives the mail. */
  @Column('uuid', { nullable: true }) mailId: string | null;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  /** SHA-256 of the message, 64 hex digits. */
  @Column('char', { length: 64, nullable: true }) sha256: string | null;
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) sizeBytes: number | null;
  /** Labels when the plan was made. */
  @Column('text', { array: true }) labels: string[];
  @Column('varchar', { length: 16 }) state: string;
  @Column('varchar', { length: 32, nullable: true }) reason: BlockReason | null;
  /** SHA-256 of the message at the provider, 64 hex digits; null unless it differs from the copy. */
  @Column('char', { length: 64, nullable: true }) providerSha256: string | null;
  /** Time when the copy was last read and found whole. */
  @Column('timestamptz', { nullable: true }) verifiedAt: Date | null;
  /** Time when the copy was compared with the message at the provider. */
  @Column('timestamptz', { nullable: true }) comparedAt: Date | null;
  @Column('timestamptz', { nullable: true }) trashedAt: Date | null;
  /** Whether the receipt says that the outcome is unknown; what is found out later does not change the receipt. */
  @Column('boolean', { default: false }) isSignedUnknown: boolean;
}
