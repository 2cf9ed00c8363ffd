import { collectMessageIds } from '../../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import {
  CallOptions,
  MailboxProviders,
  ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import { RuleChoice } from '../../../cleanup/rules/rule-choice';
import { SelectionTooLarge } from '../../../mailbox/selections/selections.errors';
import { MAX_PLANNED, OffloadSelection } from './offload-plan';

/** Finds the messages that a plan is about. */
@Injectable()
export class MessageChoice {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly rules: RuleChoice,
  ) {}

  /**
   * Message ids, each once, in the order given, or in that of the search.
   * @throws SelectionTooLarge, RuleGone, the provider taxonomy
   */
  async find(
    account: ProviderAccount,
    { messageIds, query, ruleId }: OffloadSelection,
    options: CallOptions,
  ): Promise<readonly string[]> {
    const found = messageIds
      ? [...new Set(messageIds)]
      : ruleId !== undefined
        ? await this.rules.find(account, ruleId, MAX_PLANNED, options)
        : await this.list(account, query ?? '', options);
    if (found.length > MAX_PLANNED) throw new SelectionTooLarge();
    return found;
  }

  private async list(
    account: ProviderAccount,
    query: string,
    options: CallOptions,
  ): Promise<readonly string[]> {
    const provider = this.providers.forAccount(account);
    const ids = await collectMessageIds(provider, { query: query || undefined }, options, MAX_PLANNED);
    return [...ids];
  }
}
