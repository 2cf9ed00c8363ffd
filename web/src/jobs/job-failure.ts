import { hasText, i18next } from '../i18n';
import type { jobFailures } from '../i18n/en/jobFailures';
import { problemText } from '../ui/problem-text';

/**
 * Says why a job has failed, in the language of the page, by its code; what is not known here is said in the words of the
 * service. The texts of `jobFailures` have to be loaded.
 */
export function failureText(error: string, code: unknown): string {
  if (typeof code !== 'string') return error;
  if (isFailure(code)) return i18next.t(`jobFailures.${code}`, { detail: error });
  // Which fields are wrong is said by the service only.
  return code === 'validation-failed' ? error : problemText({ code, detail: error });
}

/** A message that failed, as the results of jobs name it. */
export interface ItemFailure {
  readonly item: string;
  /** Absent in failures of earlier versions, whose reason may be a code. */
  readonly code?: string;
  readonly reason: string;
}

/** Says why a message has failed, in the language of the page; see {@link failureText}. */
export function itemFailureText({ code, reason }: Omit<ItemFailure, 'item'>): string {
  const known = code ?? reason;
  const hasDetail = known === 'provider-rejected' && reason !== known;
  return isItemFailure(known) && !hasDetail
    ? i18next.t(`jobFailures.items.${known}`)
    : failureText(reason, known);
}

/** Text of an item that failed: `message at byte 12`, as imports write it, in the language of the page. */
export function itemText(item: string): string {
  const at = /^message at byte (\d+)$/.exec(item)?.[1];
  return at === undefined ? item : i18next.t('jobFailures.atByte', { at });
}

const isItemFailure = (code: string): code is keyof typeof jobFailures.items =>
  hasText(`jobFailures.items.${code}`);
type FailureCode = Exclude<keyof typeof jobFailures, 'items' | 'atByte'>;
const isFailure = (code: string): code is FailureCode =>
  code !== 'items' && code !== 'atByte' && hasText(`jobFailures.${code}`);
