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
 * Names of labels as they were when the mailbox was last asked: archived mail has ids, and is read when there is no mailbox any
 * more.
 */
@Injectable()
export class LabelNames {
  private readonly logger = new Logger(LabelNames.name);

  constructor(
    private readonly names: LabelNamesRepository,
    private readonly providers: MailboxProviders,
  ) {}

  /** By the ids of the user's labels. */
  of(accountId: string): Promise<ReadonlyMap<string, string>> {
    return this.names.of(accountId);
  }

  /** @param labels all that the mailbox has */
  async remember(accountId: string, labels: readonly MailboxLabel[]): Promise<void> {
    const own = labels.filter(({ type }) => type === 'user');
    if (own.length > 0) await this.names.save(accountId, own);
  }

  /**
   * Asks the mailbox for all its labels. One that was deleted keeps its name, which archived mail still has.
   * @returns ids of the user's labels that are there no more, each once
   */
  async readAll(account: ProviderAccount, options: CallOptions): Promise<readonly string[]> {
    return this.names.replace(account.id, await this.providers.forAccount(account).listLabels(options));
  }

  /** Asks the mailbox. Without an answer the names stay as they are: nothing depends on them. */
  async refresh(account: ProviderAccount, options: CallOptions): Promise<void> {
    try {
      await this.remember(account.id, await this.providers.forAccount(account).listLabels(options));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(`The names of labels of account ${account.id} stay as they are: ${error.code}`);
    }
  }
}
