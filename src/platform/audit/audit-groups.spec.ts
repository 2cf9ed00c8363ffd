import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_GROUPS, groupsOf } from './audit-groups';

const names = JSON.parse(
  readFileSync(join(__dirname, '../../../test/whole-service/stable-names.json'), 'utf8'),
) as { readonly auditActions: readonly string[]; readonly jobActs: readonly string[] };

describe('the groups of the audit log', () => {
  it('should contain every action, and each group some', () => {
    const actions = [...names.auditActions, ...names.jobActs.map((act) => `${act}-completed`)];
    expect(actions.filter((action) => groupsOf(action).length === 0)).toEqual([]);
    const used = new Set(actions.flatMap(groupsOf));
    expect(AUDIT_GROUPS.filter((group) => !used.has(group))).toEqual([]);
  });

  it.each([
    ['mails.delete-completed', ['deletions', 'archive']],
    ['messages.offload-started', ['deletions', 'messages', 'archive']],
    ['rule.run-completed', ['messages', 'automation']],
    ['session.opened', ['sign-in']],
  ])('should know those of %s', (action, groups) => {
    expect(groupsOf(action)).toEqual(groups);
  });
});
