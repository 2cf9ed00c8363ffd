import type { Schemas } from '@mailroom/sdk';

/** In the order in which they are offered. */
export const AUDIT_GROUPS = [
  'deletions',
  'messages',
  'archive',
  'mailboxes',
  'automation',
  'sign-in',
  'administration',
] as const satisfies readonly Schemas['AuditGroup'][];

/** Which entries of the audit log are shown. */
export interface AuditFilter {
  readonly group?: Schemas['AuditGroup'];
  readonly outcome?: Schemas['AuditOutcome'];
  readonly accountId?: string;
  readonly actorId?: string;
  /** The first day of the person, `2024-02-29`. */
  readonly since?: string;
  /** The last day of the person. */
  readonly until?: string;
}

/** The filter as the service takes it: from the beginning of the first day to the end of the last, where the person is. */
export function toAuditQuery({ since, until, ...others }: AuditFilter) {
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return {
    ...(given as typeof others),
    ...(since !== undefined && { from: new Date(`${since}T00:00:00`).toISOString() }),
    ...(until !== undefined && { to: new Date(`${until}T23:59:59.999`).toISOString() }),
  };
}
