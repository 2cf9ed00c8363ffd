import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** How far the rotation that re-hashes an account's files has come. */
@Entity('integrity_states')
export class IntegrityStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Mails up to this id have been checked in the current round; null: a round begins. */
  @Column('uuid', { nullable: true }) cursor: string | null;
  @Column('timestamptz', { nullable: true }) roundStartedAt: Date | null;
  @Column('timestamptz', { nullable: true }) roundCompletedAt: Date | null;
  /** Files hashed so far, all rounds together. */
  @Column('bigint', { transformer: bigintAsNumber, default: 0 }) checked: number;
}
