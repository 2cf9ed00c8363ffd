import { Injectable } from '@nestjs/common';
import {
  CallOptions,
  MailboxProviders,
  ProviderAccount,
} from '../../mailbox/providers/mailbox-provider.port';
import type { RuleAction, RuleCondition } from '../rule';
import { LabelLookup } from './label-lookup';

/** The parts of a rule that may name labels. */
export interface LabelledRule {
  readonly conditions?: readonly RuleCondition[];
  readonly action?: RuleAction;
}

/** Whether the rule names a label that only the mailbox itself knows. */
export function needsLabels({ conditions = [], action }: LabelledRule): boolean {
  const named = conditions.filter(({ field }) => field === 'label').map(({ value }) => String(value));
  if (action?.labelId !== undefined) named.push(action.labelId);
  return named.some((label) => LabelLookup.SYSTEM.find(label) === undefined);
}

/** Looks up the labels rules name. */
@Injectable()
export class RuleLabels {
  constructor(private readonly providers: MailboxProviders) {}

  /** One call, or none when the rule names only labels every mailbox has. */
  async lookup(account: ProviderAccount, rule: LabelledRule, options: CallOptions): Promise<LabelLookup> {
    if (!needsLabels(rule)) return LabelLookup.SYSTEM;
    return LabelLookup.of(await this.providers.forAccount(account).listLabels(options));
  }
}
