import { Injectable, Logger } from '@nestjs/common';
import { MailboxConnector } from '../../providers/port/mailbox-connector.port';
import type { OAuthCredentials } from '../../providers/port/provider-credentials.port';
import { MailboxAccountsService, type EndedConnection } from '../accounts/mailbox-accounts.service';
import { delay as sleep } from '../../platform/concurrency/timers';

/** Timeout of a revocation, in milliseconds. A provider that does not answer must not keep the caller waiting. */
const REVOCATION_MS = 5_000;

/** Revokes grants at their provider, without failing when it does not answer. */
@Injectable()
export class GrantRevocations {
  private readonly logger = new Logger(GrantRevocations.name);

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly connector: MailboxConnector,
  ) {}

  /**
   * Revokes the grant of an account at its provider, unless another account uses the same mailbox. Revoking twice is
   * harmless.
   * @returns false when the provider could not be reached
   */
  async revoke(account: EndedConnection): Promise<boolean> {
    const credentials = await this.accounts.findRevocable(account);
    return credentials ? this.revokeAt(account.id, credentials) : true;
  }

  private async revokeAt(accountId: string, credentials: OAuthCredentials): Promise<boolean> {
    const timer = new AbortController();
    const tooLong = sleep(REVOCATION_MS, 'too long', { signal: timer.signal }).catch(() => 'answered');
    try {
      const outcome = await Promise.race([this.connector.revoke(credentials), tooLong]);
      if (outcome === 'too long')
        this.logger.warn(`Account ${accountId}: the provider takes too long to revoke the grant`);
      return outcome !== 'too long';
    } catch (error) {
      this.logger.warn(`Account ${accountId}: the grant could not be revoked: ${String(error)}`);
      return false;
    } finally {
      timer.abort();
    }
  }
}
