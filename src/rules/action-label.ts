import { ValidationFailed } from '../common/http/domain-error';
import type { LabelLookup } from './query/label-lookup';
import { needsLabelId, RuleAction } from './rule';

/** Set by the provider alone. */
const FIXED = new Set(['SENT', 'DRAFT', 'CHAT']);
/** Messages with one of these are removed after 30 days, which is what `trash` is for, with its precautions. */
const REMOVING = new Set(['SPAM', 'TRASH']);

/**
 * Refuses `label` and `unlabel` without a label that exists and may be given or taken.
 * @throws ValidationFailed naming `action.labelId`
 */
export function requireActionLabel(action: RuleAction, labels: LabelLookup): void {
  if (!needsLabelId(action.type)) return;
  const label = action.labelId === undefined ? undefined : labels.byIdOnly(action.labelId);
  if (label === undefined) throw refused('labelId must be an existing label');
  if (FIXED.has(label.id)) throw refused(`labelId must not be ${label.id}, which only the provider sets`);
  if (action.type === 'label' && REMOVING.has(label.id))
    throw refused(`labelId must not be ${label.id}: use the action trash`);
}

function refused(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'action.labelId', message }]);
}
