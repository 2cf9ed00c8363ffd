import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { MessagePart } from '../../providers/port/mailbox-provider.port';

/** Metadata of a live message, fetched once. Only `labelIds` ever changes; the change history keeps it up to date. */
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
  /** The display name of that address; empty when there is none. */
  @Column('text') senderName: string;
  /** The common part of the subjects of a series, see `subjectKey`; null when it is empty. */
  @Column('bigint', { nullable: true }) subjectKey: string | null;
  @Column('integer') sizeEstimate: number;
  /** Beginning of the text; null when the archived copy is encrypted, since the index then stores nothing of its body. */
  @Column('text', { nullable: true }) snippet: string | null;
  @Column('text', { array: true }) labelIds: string[];
  /**
   * Whether the history that kept `labelIds` up to date was lost, so that the row must not be used until it is
   * verified.
   */
  @Column('boolean', { default: false }) stale: boolean;
  /** Properties that figures need, see `MessageFlag`. A trigger sets them; the application never writes them. */
  @Column('smallint', { default: 0 }) flags: number;
  @Column('boolean') hasAttachments: boolean;
  @Column('jsonb', { default: () => "'[]'" }) parts: MessagePart[];
  @Column('text', { nullable: true }) listUnsubscribe: string | null;
  @Column('text', { nullable: true }) listUnsubscribePost: string | null;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  @Column('timestamptz', { default: () => 'now()' }) indexedAt: Date;
}

/** State of an account's index: the cursor up to which it has followed the provider's change history, and its coverage. */
@Entity('mailbox_index_states')
export class MailboxIndexStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Opaque cursor; text, because it is an unsigned 64-bit number at some providers. */
  @Column('text') cursor: string;
  @Column('timestamptz') syncedAt: Date;

  /** Date from which on every message that is neither spam nor trash is indexed; null: unknown. */
  @Column('timestamptz', { nullable: true }) coveredSince: Date | null;
  /** Whether every message that is neither spam nor trash is indexed. */
  @Column('boolean', { default: false }) complete: boolean;
  /** Time at which figures were first requested. Since then new mail is indexed as it arrives. */
  @Column('timestamptz', { nullable: true }) wantedSince: Date | null;
  /** Number of times that coverage was lost. A run that began before a loss must not record coverage. */
  @Column('integer', { default: 0 }) coverageEpoch: number;
}

/**
 * A message in the listing of a run that reconciles the index with the mailbox. It is listed once for its existence and
 * once for each of its labels. Rows are deleted at the end of the run.
 */
@Entity('mailbox_listings')
export class MailboxListingEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Name of the run, which distinguishes listings of different times. */
  @PrimaryColumn('varchar', { length: 64 }) run: string;
  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  /** Label of the message; empty: the message exists and is neither spam nor trash. */
  @PrimaryColumn('varchar', { length: 255 }) labelId: string;
  @Column('timestamptz', { default: () => 'now()' }) listedAt: Date;
}
