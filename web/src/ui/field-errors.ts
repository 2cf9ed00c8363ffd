import { toProblem } from '../api/problems';
import { problemText } from './problem-text';

/** What is wrong with the fields of a form, by field: in our words where the problem is of one, else in the service's. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (error === null || error === undefined) return {};
  const problem = toProblem(error);
  const message = problem.code === 'validation-failed' ? undefined : problemText(problem);
  return Object.fromEntries(problem.fields.map((one) => [one.field, message ?? one.message]));
}
