import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { MessagePart } from '../../providers/port/mailbox-provider.port';

/** Metadata of a live message, fetched once. Only `labelIds` ever changes; the change history keeps it true. */
@Entity('mailbox_messages')
@Index('mailbox_messages_newest_idx', { synchronize: false })
@Index('mailbox_messages_sender_idx', { synchronize: false })
@Index('mailbox_messages_newsletter_idx', { synchronize: false })
@Index('mailbox_messages_attachments_idx', { synchronize: false })
@Index('mailbox_messages_stale_idx', { synchronize: false })
@Index('mailbox_messages_message_id_header_idx', { synchronize: false })
export class MailboxMessageEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  @Column('varchar', { length: 64 }) threadId: string;
  @Column('timestamptz') internalDate: Date;
  /** The Date header as sent. */
  @Column('text') date: string;
  @Column('text') subject: string;
  @Column('text') from: string;
  @Column('text') to: string;
  /** The first address of `from`, lower-case; empty when there is none. */
  @Column('varchar', { length: 320 }) senderEmail: string;
  /** The display name that goes with it; empty when there is none. */
  @Column('text') senderName: string;
  /** The common part of the subjects of a series, see `subjectKey`; null when it is empty. */
  @Column('bigint', { nullable: true }) subjectKey: string | null;
  @Column('integer') sizeEstimate: number;
  /** Null when the archived copy is encrypted: the index keeps none of its body. */
  @Column('text', { nullable: true }) snippet: string | null;
  @Column('text', { array: true }) labelIds: string[];
  /** The history that would have kept `labelIds` true was lost: the row is not to be used until it is verified. */
  @Column('boolean', { default: false }) stale: boolean;
  /** Properties that figures need, see `MessageFlag`. Kept by a trigger; never written by the application. */
  @Column('smallint', { default: 0 }) flags: number;
  @Column('boolean') hasAttachments: boolean;
  @Column('jsonb', { default: () => "'[]'" }) parts: MessagePart[];
  @Column('text', { nullable: true }) listUnsubscribe: string | null;
  @Column('text', { nullable: true }) listUnsubscribePost: string | null;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  @Column('timestamptz', { default: () => 'now()' }) indexedAt: Date;
}

/** How far the local index of an account has followed the provider's change history, and what it covers. */
@Entity('mailbox_index_states')
export class MailboxIndexStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Opaque; text because it is an unsigned 64-bit number at some providers. */
  @Column('text') cursor: string;
  @Column('timestamptz') syncedAt: Date;

  /** Every message from here on that is neither spam nor trash is indexed; null: nothing can be said. */
  @Column('timestamptz', { nullable: true }) coveredSince: Date | null;
  /** Every message that is neither spam nor trash is indexed. */
  @Column('boolean', { default: false }) complete: boolean;
  /** When figures were first requested: from then on new mail is indexed as it arrives. */
  @Column('timestamptz', { nullable: true }) wantedSince: Date | null;
  /** Counts how often coverage was lost: a run that began before that may not claim to have covered anything. */
  @Column('integer', { default: 0 }) coverageEpoch: number;
}

/**
 * The listing so far of a run that reconciles the index with the mailbox: which messages there are and, label by
 * label, which of them carry it. Deleted at the end of the run.
 */
@Entity('mailbox_listings')
export class MailboxListingEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Keeps listings of different times apart. */
  @PrimaryColumn('varchar', { length: 64 }) run: string;
  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  /** Empty: the message exists and is neither spam nor trash. */
  @PrimaryColumn('varchar', { length: 255 }) labelId: string;
  @Column('timestamptz', { default: () => 'now()' }) listedAt: Date;
}
