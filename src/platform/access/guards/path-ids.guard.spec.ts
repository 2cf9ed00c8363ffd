import { guardContext } from '../../../../test/support/guard-context';
import { ValidationFailed } from '../../http/domain-error';
import { PathIdsGuard } from './path-ids.guard';

const ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

class Routes {
  read(): void {}
}

describe('PathIdsGuard', () => {
  const sut = new PathIdsGuard();

  it.each<[string, object]>([
    ['no ids', {}],
    ['a UUID', { accountId: ID }],
    ['a UUID in capitals', { accountId: ID.toUpperCase() }],
    ['ids of the mail provider', { accountId: ID, messageId: '18c2f', labelId: 'INBOX' }],
    ['the number of a job', { jobId: 'archive_mails-7' }],
    ['other parameters', { category: 'promotions' }],
  ])('should admit %s', (_what, params) => {
    expect(sut.canActivate(guardContext(Routes, 'read', { params }))).toBe(true);
  });

  it('should name every malformed id', () => {
    const params = { accountId: 'not-a-uuid', mailId: `${ID}0`, ruleId: ID, pathId: [ID] };
    const run = (): boolean => sut.canActivate(guardContext(Routes, 'read', { params }));
    expect(run).toThrow(ValidationFailed);
    try {
      run();
    } catch (error) {
      const fields = (error as ValidationFailed).errors?.map(({ field }) => field);
      expect(fields).toEqual(['accountId', 'mailId', 'pathId']);
    }
  });
});
