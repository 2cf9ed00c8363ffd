import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A policy that deletes archived mail after a time. */
@Entity('retention_policies')
@Index('retention_policies_user_idx', ['userId', 'id'])
export class RetentionPolicyEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Account to which the policy applies; null: all accounts of the user. */
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
 * Number of mails that a job has deleted for a policy, counted in the transactions that deleted them, so that it is exact
 * even when the job is killed between two checkpoints. The row is deleted some time after the end of the job.
 */
@Entity('retention_counts')
export class RetentionCountEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  /** Id of the policy. It is no foreign key: the count outlives the policy. */
  @PrimaryColumn('uuid') policyId: string;
  /** Name of the policy, for the job's result. */
  @Column('varchar', { length: 255 }) name: string;
  @Column('integer') deleted: number;
}
