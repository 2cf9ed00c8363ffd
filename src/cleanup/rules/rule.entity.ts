import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { RuleAction, RuleCondition, RuleSchedule } from './rule';

/** Conditions on messages of one mailbox, the action on those that meet them, and the schedule. */
@Entity('rules')
@Index('rules_account_idx', ['mailboxAccountId', 'id'])
@Index('rules_due_idx', { synchronize: false })
export class RuleEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailboxAccountId: string;

  @Column('varchar', { length: 255 }) name: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('jsonb') conditions: RuleCondition[];
  @Column('jsonb') action: RuleAction;
  @Column('varchar', { length: 16, nullable: true }) schedule: RuleSchedule | null;
  @Column('boolean', { default: true }) isActive: boolean;
  /** Time when the last run began, by hand or by schedule. */
  @Column('timestamptz', { nullable: true }) lastRunAt: Date | null;
  /** Number of messages that the last completed run acted on. */
  @Column('integer', { nullable: true }) lastRunCount: number | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

/**
 * Messages that a run of a rule acts on, in order: a run that continues after its process was lost must not choose again, as it
 * has changed a part of them. Deleted when the run is done, or after its end.
 */
@Entity('rule_matches')
export class RuleMatchEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  @PrimaryColumn('integer') position: number;
  @Column('varchar', { length: 64 }) messageId: string;
}
