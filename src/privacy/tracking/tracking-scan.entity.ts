import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { KeptTracker } from './detection/tracker';

/**
 * A message that has been scanned for trackers, also one without any: it is not fetched again as long as the
 * rules stay the same.
 */
@Entity('tracking_scans')
@Index('tracking_scans_account_message_key', ['accountId', 'mailboxMessageId'], { unique: true })
@Index('tracking_scans_tracked_idx', ['accountId', 'date', 'id'], { where: 'tracker_count > 0' })
export class TrackingScanEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 64 }) mailboxMessageId: string;
  @Column('text') subject: string;
  /** The From header as sent, decoded. */
  @Column('text') sender: string;
  /** The provider's internal date. */
  @Column('timestamptz') date: Date;
  @Column('jsonb', { default: () => "'[]'" }) trackers: KeptTracker[];
  @Column('integer', { default: 0 }) trackerCount: number;
  /** Value of `RULES_VERSION` when the message was read. */
  @Column('integer') rulesVersion: number;
  @Column('timestamptz', { default: () => 'now()' }) scannedAt: Date;
}
