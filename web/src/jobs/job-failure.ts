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

const isFailure = (code: string): code is keyof typeof jobFailures => hasText(`jobFailures.${code}`);
