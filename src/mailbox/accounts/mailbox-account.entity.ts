import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type MailboxAccountStatus = 'connected' | 'needs_reauth' | 'rate_limited' | 'disconnected';

@Entity('mailbox_accounts')
@Index('mailbox_accounts_user_provider_email_key', ['userId', 'provider', 'email'], { unique: true })
export class MailboxAccountEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Lower-case. */
  @Column('varchar', { length: 320 }) email: string;
  @Column('varchar', { length: 32 }) provider: string;
  @Column('boolean', { default: true }) isActive: boolean;
  /** `rate_limited` is never stored: it is derived from `rateLimitedUntil`. */
  @Column('varchar', { length: 16, default: 'connected' }) status: Exclude<
    MailboxAccountStatus,
    'rate_limited'
  >;
  /** OAuth tokens, sealed with the row's id as associated data; null when disconnected. */
  @Column('text', { nullable: true }) sealedCredentials: string | null;
  /** Scopes the user really granted; people can untick some. */
  @Column('text', { array: true, default: () => "'{}'" }) scopes: string[];
  @Column('timestamptz', { nullable: true }) rateLimitedUntil: Date | null;
  @Column('timestamptz', { nullable: true }) lastSyncedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
