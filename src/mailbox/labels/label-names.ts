import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../platform/http/domain-error';
import {
  CallOptions,
  MailboxLabel,
  MailboxProviders,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { LabelNamesRepository } from './label-names.repository';

/**
 * Names of labels when the mailbox was last asked. Archived mail only has ids of labels, and is read even when the
 * mailbox is no longer connected.
 */
@Injectable()
export class LabelNames {
  private readonly logger = new Logger(LabelNames.name);

  constructor(
    private readonly names: LabelNamesRepository,
    private readonly providers: MailboxProviders,
  ) {}

  /** Returns the names of the user's labels, by id. */
  namesOf(accountId: string): Promise<ReadonlyMap<string, string>> {
    return this.names.namesOf(accountId);
  }

  /** @param labels all labels of the mailbox */
  async remember(accountId: string, labels: readonly MailboxLabel[]): Promise<void> {
    const own = labels.filter(({ type }) => type === 'user');
    if (own.length > 0) await this.names.save(accountId, own);
  }

  /**
   * Asks the mailbox for all its labels. A deleted one keeps its name, since archived mail still refers to it.
   * @returns ids of the user's labels that no longer exist, each reported once
   */
  async readAll(account: ProviderAccount, options: CallOptions): Promise<readonly string[]> {
    return this.names.replace(account.id, await this.providers.forAccount(account).listLabels(options));
  }

  /** Updates the names from the mailbox. Without an answer they stay as they are, since nothing depends on them. */
  async refresh(account: ProviderAccount, options: CallOptions): Promise<void> {
    try {
      await this.remember(account.id, await this.providers.forAccount(account).listLabels(options));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(`Could not refresh the label names of account ${account.id}: ${error.code}`);
    }
  }
}
