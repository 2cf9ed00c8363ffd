import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

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
