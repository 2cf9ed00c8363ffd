import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

export const SUGGESTION_TYPES = [
  'bulk_unread',
  'large_sender',
  'old_newsletters',
  'duplicate_pattern',
] as const;
export type SuggestionType = (typeof SUGGESTION_TYPES)[number];

/** A suggestion to clean something up. The row stays when it is dismissed, so that it is not suggested again. */
@Entity('cleanup_suggestions')
@Index('cleanup_suggestions_subject_key', ['accountId', 'type', 'subjectOf'], { unique: true })
export class CleanupSuggestionEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 32 }) type: SuggestionType;
  /** Subject of the suggestion: the sender's address, for repeated subjects with their key. */
  @Column('varchar', { length: 400 }) subjectOf: string;
  @Column('text') title: string;
  @Column('text') description: string;
  @Column('text') sender: string;
  @Column('integer') emailCount: number;
  @Column('bigint', { transformer: bigintAsNumber }) totalSizeBytes: number;
  /** Query that selects the messages, in the provider's own search language. */
  @Column('text') query: string;
  @Column('timestamptz', { nullable: true }) dismissedAt: Date | null;
  /** Time when the suggestion was last found to hold; one that no longer holds is not listed. */
  @Column('timestamptz') computedAt: Date;
}

/** The lowest counts of the inbox on a day (UTC). */
@Entity('inbox_days')
export class InboxDayEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('date') day: string;
  @Column('integer') inboxCount: number;
  @Column('integer') unreadCount: number;
  /** Time of the latest snapshot, whatever its counts. */
  @Column('timestamptz') takenAt: Date;
}
