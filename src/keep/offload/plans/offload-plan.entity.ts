import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../platform/database/column-values';
import type { Allowed, BlockReason } from '../block-reasons';
import type { OffloadMode } from '../receipts/receipt';
import type { OffloadSelection, PlanCounts, PlanFigures, StoredPlanStatus } from './offload-plan';

/** Messages that a person wants out of the mailbox, and how far that has come. */
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

  /** As it was asked for. */
  @Column('jsonb') selection: OffloadSelection;
  @Column('varchar', { length: 16 }) mode: OffloadMode;
  @Column('jsonb') allowed: Allowed;
  /** A schedule made it, and no person. */
  @Column('boolean', { default: false }) isScheduled: boolean;
  /** Whether it is stopped or expired follows from its job and the time, see `OffloadPlansRepository`. */
  @Column('varchar', { length: 16 }) status: StoredPlanStatus;
  /** null: being planned. */
  @Column('jsonb', { nullable: true }) figures: PlanFigures | null;
  @Column('jsonb', { nullable: true }) counts: PlanCounts | null;
  /** Of what a person confirms, see `PlanDigest`; null: being planned. */
  @Column('char', { length: 64, nullable: true }) digest: string | null;
  /** Where the change history stood when the plan was begun. */
  @Column('text', { nullable: true }) plannedCursor: string | null;
  /** Up to there the history has been looked at for changes of the plan's messages. */
  @Column('text', { nullable: true }) cursor: string | null;
  /** The provider had forgotten a part of it: labels are asked for before messages are moved. */
  @Column('boolean', { default: false }) isHistoryLost: boolean;
  /** Batches moved so far: they number the chunks of the change journal. */
  @Column('integer', { default: 0 }) batches: number;
  /** Of the job that plans. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) planJobNumber: number | null;
  /** Of the last job that moved messages. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) jobNumber: number | null;
  /** Until then it can be confirmed. */
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
  /** Of the copy; no foreign key: what is known of the message outlives the mail. */
  @Column('uuid', { nullable: true }) mailId: string | null;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  /** Of the message, hex. */
  @Column('char', { length: 64, nullable: true }) sha256: string | null;
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) sizeBytes: number | null;
  /** As of the plan. */
  @Column('text', { array: true }) labels: string[];
  @Column('varchar', { length: 16 }) state: string;
  @Column('varchar', { length: 32, nullable: true }) reason: BlockReason | null;
  /** Of what the provider holds, where that is something else; hex. */
  @Column('char', { length: 64, nullable: true }) providerSha256: string | null;
  /** When the copy was last read and found whole. */
  @Column('timestamptz', { nullable: true }) verifiedAt: Date | null;
  /** When it was compared with what the provider holds. */
  @Column('timestamptz', { nullable: true }) comparedAt: Date | null;
  @Column('timestamptz', { nullable: true }) trashedAt: Date | null;
  /** The receipt says that it is not known whether it was moved; what is learnt later does not change the receipt. */
  @Column('boolean', { default: false }) isSignedUnknown: boolean;
}
