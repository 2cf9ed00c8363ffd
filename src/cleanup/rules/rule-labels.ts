import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../platform/http/domain-error';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { needsLabelId, RuleAction } from './rule';
import type { RuleCondition } from './rule';

/** The parts of a rule that may name labels. */
export interface LabelledRule {
  readonly conditions?: readonly RuleCondition[];
  readonly action?: RuleAction;
}

/** Whether the rule names a label that only this mailbox has. */
export function needsLabels({ conditions = [], action }: LabelledRule): boolean {
  const named = conditions.filter(({ field }) => field === 'label').map(({ value }) => String(value));
  if (action?.labelId !== undefined) named.push(action.labelId);
  return named.some((label) => LabelLookup.SYSTEM.find(label) === undefined);
}

/** Looks up the labels rules name. */
@Injectable()
export class RuleLabels {
  constructor(private readonly providers: MailboxProviders) {}

  /** Looks the labels up in one call, or in none when the rule names only labels that every mailbox has. */
  async findLabels(account: ProviderAccount, rule: LabelledRule, options: CallOptions): Promise<LabelLookup> {
    if (!needsLabels(rule)) return LabelLookup.SYSTEM;
    return LabelLookup.of(await this.providers.forAccount(account).listLabels(options));
  }
}

/** Labels that only the provider sets. */
const FIXED = new Set(['SENT', 'DRAFT', 'CHAT']);
/** Labels whose messages the provider deletes after 30 days: the action `trash` is for that, with its precautions. */
const DELETED_AFTER_30_DAYS = new Set(['SPAM', 'TRASH']);

/**
 * Refuses `label` and `unlabel` without a label that exists and may be added or removed.
 * @throws ValidationFailed naming `action.labelId`
 */
export function requireActionLabel(action: RuleAction, labels: LabelLookup): void {
  if (!needsLabelId(action.type)) return;
  const label = action.labelId === undefined ? undefined : labels.findById(action.labelId);
  if (label === undefined) throw refusalOf('labelId must be an existing label');
  if (FIXED.has(label.id)) throw refusalOf(`labelId must not be ${label.id}, which only the provider sets`);
  if (action.type === 'label' && DELETED_AFTER_30_DAYS.has(label.id))
    throw refusalOf(`labelId must not be ${label.id}: use the action trash`);
}

function refusalOf(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'action.labelId', message }]);
}
