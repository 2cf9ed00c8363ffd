import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { MessagePart } from '../providers/mailbox-provider.port';

/** Metadata of a live message, fetched once. Only `labelIds` ever changes; the change history keeps it true. */
@Entity('mailbox_messages')
@Index('mailbox_messages_account_date_idx', ['accountId', 'internalDate', 'messageId'])
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
  @Column('integer') sizeEstimate: number;
  @Column('text') snippet: string;
  @Column('text', { array: true }) labelIds: string[];
  @Column('boolean') hasAttachments: boolean;
  @Column('jsonb', { default: () => "'[]'" }) parts: MessagePart[];
  @Column('text', { nullable: true }) listUnsubscribe: string | null;
  @Column('text', { nullable: true }) listUnsubscribePost: string | null;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  @Column('timestamptz', { default: () => 'now()' }) indexedAt: Date;
}
