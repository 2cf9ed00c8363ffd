import { collectMessageIds } from '../../providers/port/listed-message-ids';
import { Injectable } from '@nestjs/common';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { createExactMatcher } from './exact-match';
import { RuleLabels } from './rule-labels';
import { buildRuleQuery, includesSpamTrash } from './rule-query';
import { RuleGone } from './rules.errors';
import { RulesRepository } from './rules.repository';

/** Finds the messages that a rule selects, for other features than the rule's own action. */
@Injectable()
export class RuleChoice {
  constructor(
    private readonly rules: RulesRepository,
    private readonly labels: RuleLabels,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
  ) {}

  /** Whether the account has the rule. */
  async exists(userId: string, accountId: string, ruleId: string): Promise<boolean> {
    return (await this.rules.findOwned(userId, accountId, ruleId)) !== null;
  }

  /**
   * Messages that meet all conditions of a rule exactly, each once, in the order of the search.
   * @param most maximum; when the search finds more, one more than this is returned, unchecked
   * @throws RuleGone, ValidationFailed when the mailbox no longer has a label that the rule names, the provider taxonomy
   */
  async find(
    account: ProviderAccount,
    ruleId: string,
    most: number,
    options: CallOptions,
  ): Promise<readonly string[]> {
    const rule = await this.rules.findOwned(account.userId, account.id, ruleId);
    if (!rule) throw new RuleGone();
    const { conditions } = rule;
    const labels = await this.labels.findLabels(account, { conditions }, options);
    const found = await this.list(account, conditions, labels, most, options);
    if (found.length > most) return found;
    const matches = createExactMatcher(conditions, labels, new Date());
    const exact = new Set<string>();
    for await (const messages of this.index.readMetadata(account, found, options)) {
      for (const message of messages) if (matches(message)) exact.add(message.id);
    }
    return found.filter((id) => exact.has(id));
  }

  private async list(
    account: ProviderAccount,
    conditions: Parameters<typeof buildRuleQuery>[0],
    labels: LabelLookup,
    most: number,
    options: CallOptions,
  ): Promise<string[]> {
    const query = buildRuleQuery(conditions, labels);
    const includeSpamTrash = includesSpamTrash(conditions);
    const provider = this.providers.forAccount(account);
    const ids = await collectMessageIds(provider, { query, includeSpamTrash }, options, most);
    return [...ids].slice(0, most + 1);
  }
}
