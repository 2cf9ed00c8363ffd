import type { MailboxAccountEntity, MailboxAccountStatus } from './mailbox-account.entity';

type AccountState = Pick<MailboxAccountEntity, 'status' | 'rateLimitedUntil'>;

/** The status shown to clients: a connected account whose provider told us to wait is `rate_limited`. */
export function shownStatus({ status, rateLimitedUntil }: AccountState, now: Date): MailboxAccountStatus {
  if (status === 'purging') return 'disconnected';
  if (status === 'connected' && rateLimitedUntil !== null && rateLimitedUntil > now) return 'rate_limited';
  return status;
}

/** True while the user has ended the connection; needing a new consent is not an end. */
export function isDisconnected({ status }: Pick<AccountState, 'status'>): boolean {
  return status === 'disconnected' || status === 'purging';
}
