import { toProblem } from '../api/problems';
import { hasText, i18next } from '../i18n';
import type { en } from '../i18n/en';
import { problemText } from './problem-text';

/** Problems of the fields of a form, by field: in our words where the problem is of one field, else in the service's. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (error === null || error === undefined) return {};
  const problem = toProblem(error);
  const message = problem.code === 'validation-failed' ? undefined : problemText(problem);
  return Object.fromEntries(
    problem.fields.map(({ field, reason, message: said }) => [field, message ?? reasonText(reason) ?? said]),
  );
}

/** Our text for what is wrong with a field; the service has a stable name for some reasons. */
function reasonText(reason: string | undefined): string | undefined {
  return reason !== undefined && isSaid(reason) ? i18next.t(`problems.reasons.${reason}`) : undefined;
}

const isSaid = (reason: string): reason is keyof typeof en.problems.reasons =>
  hasText(`problems.reasons.${reason}`);
