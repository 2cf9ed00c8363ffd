import { changeDetails } from './user-change-details';

const USER = {
  name: 'Ada',
  role: 'user' as const,
  isActive: true,
  maxMailboxAccounts: 5,
  storageQuotaBytes: 1_000,
};

describe('changeDetails', () => {
  it('should name what differs, with its new value', () => {
    const after = { ...USER, role: 'admin' as const, storageQuotaBytes: 0 };
    expect(changeDetails(USER, after)).toEqual({
      changed: ['role', 'storage_quota_bytes'],
      role: 'admin',
      storage_quota_bytes: 0,
    });
  });

  it('should count the jobs a deactivation has stopped, none included', () => {
    expect(changeDetails(USER, { ...USER, isActive: false }, 0)).toEqual({
      changed: ['is_active'],
      is_active: false,
      cancelled_jobs: 0,
    });
  });

  it('should name the name only: it says who somebody is', () => {
    expect(changeDetails(USER, { ...USER, name: 'Augusta' })).toEqual({ changed: ['name'] });
  });

  it('should say so when nothing differs', () => {
    expect(changeDetails(USER, USER)).toEqual({ changed: [] });
  });
});
