import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A policy that deletes archived mail after a time. */
@Entity('retention_policies')
@Index('retention_policies_user_idx', ['userId', 'id'])
export class RetentionPolicyEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** null: all accounts of the user. */
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  mailboxAccountId: string | null;

  @Column('varchar', { length: 255 }) name: string;
  /** Id or name of a label; null: mail with any label or none. */
  @Column('text', { nullable: true }) label: string | null;
  @Column('integer') maxAgeDays: number;
  @Column('boolean', { default: true }) isActive: boolean;
  /** Whether it deletes copies whose messages were offloaded: they may be the only ones. */
  @Column('boolean', { default: false }) includeOffloaded: boolean;
  @Column('timestamptz', { nullable: true }) lastRunAt: Date | null;
  /** Mails deleted by this policy so far. */
  @Column('integer', { default: 0 }) deletedCount: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

/**
 * Mails a job has deleted for a policy, counted in the transactions that deleted them: a job killed between two
 * checkpoints still knows what it has done. Deleted some time after the end of the job.
 */
@Entity('retention_counts')
export class RetentionCountEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  /** No foreign key: the count outlives the policy. */
  @PrimaryColumn('uuid') policyId: string;
  /** The policy's name, for the job's result. */
  @Column('varchar', { length: 255 }) name: string;
  @Column('integer') deleted: number;
}
