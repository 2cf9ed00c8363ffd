import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The status that clients see. */
export type MailboxAccountStatus = 'connected' | 'needs_reauth' | 'rate_limited' | 'disconnected';

/**
 * The stored status. `rate_limited` is derived from `rateLimitedUntil` instead; an account that is `purging` is
 * disconnected and disappears once its archive is deleted.
 */
export type StoredAccountStatus = 'connected' | 'needs_reauth' | 'disconnected' | 'purging';

@Entity('mailbox_accounts')
@Index('mailbox_accounts_user_provider_email_key', ['userId', 'provider', 'email'], { unique: true })
export class MailboxAccountEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Address of the mailbox, in lower case; the name of an archive without a mailbox. */
  @Column('varchar', { length: 320 }) email: string;
  @Column('varchar', { length: 32 }) provider: string;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('varchar', { length: 16, default: 'connected' }) status: StoredAccountStatus;
  /** OAuth tokens or the password, sealed with the row's id as associated data; null when disconnected. */
  @Column('text', { nullable: true }) sealedCredentials: string | null;
  /** Scopes that the user granted, who can untick some. */
  @Column('text', { array: true, default: () => "'{}'" }) scopes: string[];
  @Column('timestamptz', { nullable: true }) rateLimitedUntil: Date | null;
  @Column('timestamptz', { nullable: true }) lastSyncedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

/** Wire name in place of a provider's: the account is an archive to which no mailbox belongs. See ADR 113. */
export const ARCHIVE_PROVIDER = 'archive';

/** Whether the account is an archive without a mailbox. Its status is `disconnected` until it is deleted. */
export function hasNoMailbox({ provider }: Pick<MailboxAccountEntity, 'provider'>): boolean {
  return provider === ARCHIVE_PROVIDER;
}

/** Statuses of accounts that do not count towards a user's maximum, as a list in SQL. */
export const ENDED_STATUSES = `('disconnected', 'purging')`;

type AccountState = Pick<MailboxAccountEntity, 'status' | 'rateLimitedUntil'>;

/** The status shown to clients: a connected account whose provider asked for a pause is `rate_limited`. */
export function shownStatus({ status, rateLimitedUntil }: AccountState, now: Date): MailboxAccountStatus {
  if (status === 'purging') return 'disconnected';
  if (status === 'connected' && rateLimitedUntil !== null && rateLimitedUntil > now) return 'rate_limited';
  return status;
}

/** True while the user has ended the connection; needing a new consent is not an end. */
export function isDisconnected({ status }: Pick<AccountState, 'status'>): boolean {
  return status === 'disconnected' || status === 'purging';
}
