import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How long archived mail is kept. */
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
  @Column('timestamptz', { nullable: true }) lastRunAt: Date | null;
  /** Mails removed by this policy so far. */
  @Column('integer', { default: 0 }) deletedCount: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

/**
 * Mails a job has removed for a policy, counted in the transactions that removed them: a job that is killed between
 * two of its checkpoints knows all the same what it has done. Removed some time after the job's end.
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
