import { isUUID } from 'class-validator';

/** How a job is named in a path or query: its record's id, or `<kind>-<number>`. */
export type JobReference = { readonly id: string } | { readonly kind: string; readonly number: number };

const JOB_ID = /^([a-z][a-z0-9_]{0,63})-(\d{1,15})$/;

/** null when the text can name no job at all. */
export function parseJobReference(text: string): JobReference | null {
  if (isUUID(text)) return { id: text };
  const match = JOB_ID.exec(text);
  return match ? { kind: match[1]!, number: Number(match[2]) } : null;
}
