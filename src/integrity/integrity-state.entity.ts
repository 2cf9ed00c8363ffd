import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** How far the rotation that re-hashes an account's files has come. Mails are walked by date and id. */
@Entity('integrity_states')
export class IntegrityStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Mails up to this one have been checked in the current round; both null: a round begins. */
  @Column('timestamptz', { nullable: true }) cursorDate: Date | null;
  @Column('uuid', { nullable: true }) cursorId: string | null;
  /** The night the current round began with. */
  @Column('date', { nullable: true }) roundStartedOn: string | null;
  @Column('timestamptz', { nullable: true }) roundCompletedAt: Date | null;
  /** Files hashed by the rotation so far, all rounds together. */
  @Column('bigint', { transformer: bigintAsNumber, default: 0 }) checked: number;
  /** When the rotation last came by. */
  @Column('timestamptz', { default: () => 'now()' }) visitedAt: Date;
}
