import type { Problem } from '../api/problems';
import { hasText, i18next } from '../i18n';
import type { en } from '../i18n/en';

/** Text of a problem for people: our text for its code, else the service's. */
export function problemText({ code, detail }: Pick<Problem, 'code' | 'detail'>): string {
  // The service names the term of a search in quotes.
  if (isSaid(code))
    return i18next.t(`problems.codes.${code}`, { term: /"(.*)"/s.exec(detail ?? '')?.[1] ?? '' });
  return detail ?? i18next.t('problems.codes.unexpected');
}

/** Not every code of the service has a text here. */
const isSaid = (code: string): code is keyof typeof en.problems.codes => hasText(`problems.codes.${code}`);
