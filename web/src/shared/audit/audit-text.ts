import { hasText, i18next } from '../../i18n';
import type { en } from '../../i18n/en';
import type { audit } from '../../i18n/en/audit';
import { formatBytes, formatFullDate, formatNumber } from '../../i18n/format';

type Texts = typeof audit;
type Value = unknown;

/** Catalogues whose texts for codes fit here as well. */
const ELSEWHERE = [
  'jobFailures',
  'jobFailures.items',
  'mailboxes.imap.wrong',
  'mailboxes.failed',
  'singleSignOn.failed',
] as const;

/** Catalogues with texts of values. */
const VALUES = ['audit.values', 'webhooks.types', 'webhooks.eventNames'] as const;

const BYTES: readonly string[] = ['bytes', 'sizeBytes', 'storage_quota_bytes'];
/** Facts that say why, by a code of the service. */
const REASONS: readonly string[] = ['code', 'reason'];
/** Facts that list what was changed. */
const SETTINGS: readonly string[] = ['changed', 'fields'];
/** Facts that say what something was set to: off and nothing are news there. */
const SET_TO: readonly string[] = [
  'isActive',
  'is_active',
  'paused',
  'includeOffloaded',
  'graceDays',
  'max_mailbox_accounts',
  'storage_quota_bytes',
];

/**
 * The facts of an entry as people read them, without counts of nothing. The texts of `audit`, `jobFailures`, `mailboxes`,
 * `singleSignOn` and `webhooks` have to be loaded.
 */
export function factTexts(details: Readonly<Record<string, Value>>): string[] {
  return Object.entries(details).flatMap(([fact, value]) => {
    const text = valueText(fact, value);
    if (text === null) return [];
    const name = hasText(`audit.details.${fact}`) ? translate(`details.${fact}`) : fact;
    return [i18next.t('audit.fact', { name, value: text })];
  });
}

/** Why an act was refused or failed; null when the entry does not say. */
export function failureText({ code, reason }: Readonly<Record<string, Value>>): string | null {
  const why = code ?? reason;
  return typeof why === 'string' ? reasonText(why) : null;
}

function valueText(fact: string, value: Value): string | null {
  if (value === null) return null;
  if ((value === 0 || value === false) && !SET_TO.includes(fact)) return null;
  if (typeof value === 'boolean') return i18next.t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') return BYTES.includes(fact) ? formatBytes(value) : formatNumber(value);
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((one) => wordText(fact, one)).join(', ');
  return typeof value === 'string' ? wordText(fact, value) : JSON.stringify(value);
}

function wordText(fact: string, word: Value): string {
  if (typeof word !== 'string') return JSON.stringify(word);
  if (fact === 'expiresAt') return formatFullDate(word);
  if (REASONS.includes(fact)) return reasonText(word);
  if (SETTINGS.includes(fact))
    return hasText(`audit.settings.${word}`) ? translate(`settings.${word}`) : word;
  const place = VALUES.find((one) => hasText(`${one}.${word}`));
  return place === undefined ? word : i18next.t(`${place}.${word}` as 'webhooks.types.generic');
}

/** Why something failed: the log holds the code alone, so texts with a gap for more do not fit. */
function reasonText(code: string): string {
  if (isProblem(code)) return i18next.t(`problems.codes.${code}`);
  if (hasText(`audit.values.${code}`)) return translate(`values.${code}`);
  if (hasText(`audit.reasons.${code}`)) return translate(`reasons.${code}`);
  const place = ELSEWHERE.find((one) => hasText(`${one}.${code}`));
  return place === undefined ? code : i18next.t(`${place}.${code}` as 'jobFailures.plan-gone');
}

/** A text of the log, by a key that `hasText` has found. */
const translate = (key: string): string =>
  i18next.t(`audit.${key}` as `audit.values.${keyof Texts['values']}`);

/** Texts with a gap need what the log does not hold. */
const isProblem = (
  code: string,
): code is Exclude<keyof typeof en.problems.codes, 'search-term-unsupported'> =>
  code !== 'search-term-unsupported' && hasText(`problems.codes.${code}`);
