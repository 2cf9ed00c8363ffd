import { changeDetails } from './user-change-details';

const USER = {
  name: 'Ada',
  role: 'user' as const,
  isActive: true,
  maxMailboxAccounts: 5,
  storageQuotaBytes: 1_000,
};

describe('changeDetails', () => {
  it('should name the changed settings with their new values', () => {
    const after = { ...USER, role: 'admin' as const, storageQuotaBytes: 0 };
    expect(changeDetails(USER, after)).toEqual({
      changed: ['role', 'storage_quota_bytes'],
      role: 'admin',
      storage_quota_bytes: 0,
    });
  });

  it('should count the jobs that a deactivation cancelled, even if there were none', () => {
    expect(changeDetails(USER, { ...USER, isActive: false }, 0)).toEqual({
      changed: ['is_active'],
      is_active: false,
      cancelled_jobs: 0,
    });
  });

  it('should not include the new name, which is personal data', () => {
    expect(changeDetails(USER, { ...USER, name: 'Augusta' })).toEqual({ changed: ['name'] });
  });

  it('should be empty when nothing has changed', () => {
    expect(changeDetails(USER, USER)).toEqual({ changed: [] });
  });
});
