import type { Problem } from '../api/problems';
import { i18next } from '../i18n';
import { en } from '../i18n/en';

/** What people read about a problem: our text for its code, else what the service says. */
export function problemText({ code, detail }: Pick<Problem, 'code' | 'detail'>): string {
  if (hasText(code)) return i18next.t(`problems.codes.${code}`);
  return detail ?? i18next.t('problems.codes.unexpected');
}

/** Codes that say all there is to say: no administrator has to look them up. */
const PLAIN: ReadonlySet<string> = new Set([
  'offline',
  'invalid-credentials',
  'totp-required',
  'totp-invalid',
  'email-taken',
  'message-not-found',
  'mail-not-found',
  'thread-not-found',
] satisfies (keyof typeof en.problems.codes)[]);
export const isPlain = (code: string): boolean => PLAIN.has(code);

/** Not every code of the service has a text here. */
const hasText = (code: string): code is keyof typeof en.problems.codes => code in en.problems.codes;
