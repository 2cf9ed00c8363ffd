import type { AuditDetails } from '../../platform/access/audit-trail.port';
import type { UserEntity } from './user.entity';

type Settings = Pick<UserEntity, 'name' | 'role' | 'isActive' | 'maxMailboxAccounts' | 'storageQuotaBytes'>;

/**
 * A change of a user for the audit trail: the names of the changed settings and their new values, except for the name.
 * @param cancelledJobs jobs that a deactivation has cancelled
 */
export function changeDetails(before: Settings, after: Settings, cancelledJobs?: number): AuditDetails {
  const values = {
    role: [before.role, after.role],
    is_active: [before.isActive, after.isActive],
    max_mailbox_accounts: [before.maxMailboxAccounts, after.maxMailboxAccounts],
    storage_quota_bytes: [before.storageQuotaBytes, after.storageQuotaBytes],
  };
  const changed = Object.entries(values).filter(([, [old, now]]) => old !== now);
  const names = changed.map(([setting]) => setting);
  return {
    changed: before.name === after.name ? names : [...names, 'name'],
    ...Object.fromEntries(changed.map(([setting, [, now]]) => [setting, now as string | number | boolean])),
    ...(cancelledJobs !== undefined && { cancelled_jobs: cancelledJobs }),
  };
}
