import { randomUUID } from 'node:crypto';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const PATH = '/api/retention';
const good = { name: 'Old mail', maxAgeDays: 30 };

describe('Retention policies', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let accountId: string;
  let foreignAccountId: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    stranger = await app.user();
    accountId = await user.connect('policies-1@sandbox.mailroom.test');
    foreignAccountId = await stranger.connect('foreign-1@sandbox.mailroom.test');
  });

  afterAll(() => app.close());

  const create = async (body: object = good, who = user): Promise<any> => {
    const answer = await who.api.post(PATH, body);
    expect([answer.status, answer.bytes.toString()]).toEqual([201, expect.any(String)]);
    return answer.body;
  };

  describe('POST /api/retention', () => {
    it('should create a policy for all accounts and any label', async () => {
      expect(await create()).toEqual({
        id: expect.any(String),
        user_id: user.id,
        mailbox_account_id: null,
        name: 'Old mail',
        label: null,
        max_age_days: 30,
        is_active: true,
        include_offloaded: false,
        last_run_at: null,
        deleted_count: 0,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    });

    it('should accept every field, trim texts and drop unknown fields', async () => {
      const body = {
        name: `  ${'x'.repeat(255)} `,
        mailboxAccountId: accountId,
        label: ' Work ',
        maxAgeDays: 36_500,
        isActive: false,
        deletedCount: 5,
        user_id: stranger.id,
      };
      expect(await create(body)).toMatchObject({
        user_id: user.id,
        mailbox_account_id: accountId,
        name: 'x'.repeat(255),
        label: 'Work',
        max_age_days: 36_500,
        is_active: false,
        deleted_count: 0,
      });
      expect(await create({ ...good, mailboxAccountId: null, label: null })).toMatchObject({
        mailbox_account_id: null,
        label: null,
      });
    });

    it.each<[string, object, string]>([
      ['no name', { name: undefined }, 'name'],
      ['a blank name', { name: '  ' }, 'name'],
      ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
      ['a name that cannot be stored', { name: 'a\0b' }, 'name'],
      ['no age', { maxAgeDays: undefined }, 'maxAgeDays'],
      ['an age of 0', { maxAgeDays: 0 }, 'maxAgeDays'],
      ['a negative age', { maxAgeDays: -5 }, 'maxAgeDays'],
      ['half a day', { maxAgeDays: 1.5 }, 'maxAgeDays'],
      ['an age as text', { maxAgeDays: '30' }, 'maxAgeDays'],
      ['a null age', { maxAgeDays: null }, 'maxAgeDays'],
      ['an age beyond all dates', { maxAgeDays: 36_501 }, 'maxAgeDays'],
      ['a blank label', { label: ' ' }, 'label'],
      ['a label of another type', { label: ['INBOX'] }, 'label'],
      ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label'],
      ['a malformed account', { mailboxAccountId: 'mine' }, 'mailboxAccountId'],
      ['a switch that is not a boolean', { isActive: 'yes' }, 'isActive'],
      ['a switch that is null', { isActive: null }, 'isActive'],
    ])('should answer 400 to %s', async (_what, fields, field) => {
      const { status, body } = await user.api.post(PATH, { ...good, ...fields });
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'validation-failed', field]);
    });

    it('should answer 403 for an account of another user, known or not', async () => {
      for (const mailboxAccountId of [foreignAccountId, randomUUID()]) {
        const { status, body } = await user.api.post(PATH, { ...good, mailboxAccountId });
        expect([status, body.code]).toEqual([403, 'account-not-owned']);
      }
    });

    it('should answer 409 beyond 100 policies, even for concurrent requests', async () => {
      const many = await app.user();
      const answers = await Promise.all(
        Array.from({ length: 103 }, (_, at) => many.api.post(PATH, { ...good, name: `Policy ${at}` })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        Array(3).fill([409, 'retention-policy-limit']),
      );
      const { body } = await many.api.get(PATH);
      expect(body).toHaveLength(100);
      await many.api.delete(`${PATH}/${body[0].id}`);
      await create(good, many);
    });
  });

  describe('GET /api/retention', () => {
    it('should list the caller’s own, newest first', async () => {
      const owner = await app.user();
      expect((await owner.api.get(PATH)).body).toEqual([]);
      const first = await create({ ...good, name: 'first' }, owner);
      const second = await create({ ...good, name: 'second' }, owner);
      await create(good, stranger);
      const { status, body } = await owner.api.get(PATH);
      expect([status, body]).toEqual([200, [second, first]]);
    });
  });

  describe('PUT /api/retention/:policyId', () => {
    it('should change the fields of the body and clear with null', async () => {
      const policy = await create({ ...good, mailboxAccountId: accountId, label: 'Work' });
      const put = async (body: object): Promise<any> => {
        const answer = await user.api.put(`${PATH}/${policy.id}`, body);
        expect(answer.status).toBe(200);
        return answer.body;
      };
      expect(await put({ isActive: false })).toEqual({
        ...policy,
        is_active: false,
        updated_at: expect.any(String),
      });
      expect(await put({ name: ' New ', maxAgeDays: 7 })).toMatchObject({
        name: 'New',
        max_age_days: 7,
        label: 'Work',
        is_active: false,
      });
      expect(await put({ label: null, mailboxAccountId: null })).toMatchObject({
        label: null,
        mailbox_account_id: null,
      });
      const changed = await put({ label: 'Home', mailboxAccountId: accountId, isActive: true });
      expect(changed).toMatchObject({ label: 'Home', mailbox_account_id: accountId, is_active: true });
      expect(changed.updated_at > policy.updated_at).toBe(true);
      expect(changed.created_at).toBe(policy.created_at);
    });

    it.each<[object, string]>([
      [{}, 'no-fields'],
      [{ unknown: 1 }, 'no-fields'],
      [{ maxAgeDays: -5 }, 'validation-failed'],
      [{ maxAgeDays: 0 }, 'validation-failed'],
      [{ maxAgeDays: null }, 'validation-failed'],
      [{ name: null }, 'validation-failed'],
      [{ name: '' }, 'validation-failed'],
      [{ label: '' }, 'validation-failed'],
      [{ isActive: null }, 'validation-failed'],
      [{ mailboxAccountId: '' }, 'validation-failed'],
    ])('should answer 400 to %j', async (body, code) => {
      const policy = await create();
      const answer = await user.api.put(`${PATH}/${policy.id}`, body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      expect((await user.api.get(PATH)).body).toContainEqual(policy);
    });

    it('should answer 403 for another user’s account and change nothing', async () => {
      const policy = await create();
      const { status, body } = await user.api.put(`${PATH}/${policy.id}`, {
        name: 'Changed',
        mailboxAccountId: foreignAccountId,
      });
      expect([status, body.code]).toEqual([403, 'account-not-owned']);
      expect((await user.api.get(PATH)).body).toContainEqual(policy);
    });
  });

  describe('a policy of another user', () => {
    it('should not be found, changed, deleted or previewed', async () => {
      const policy = await create();
      for (const id of [policy.id as string, randomUUID()]) {
        for (const answer of [
          await stranger.api.put(`${PATH}/${id}`, { isActive: false }),
          await stranger.api.delete(`${PATH}/${id}`),
          await stranger.api.get(`${PATH}/${id}/preview`),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([404, 'retention-policy-not-found']);
        }
      }
      expect((await user.api.get(PATH)).body).toContainEqual(policy);
    });
  });

  it('should delete a policy once', async () => {
    const policy = await create();
    const first = await user.api.delete(`${PATH}/${policy.id}`);
    expect([first.status, first.bytes.length]).toEqual([204, 0]);
    expect((await user.api.delete(`${PATH}/${policy.id}`)).status).toBe(404);
  });

  it('should answer 400 to malformed ids, 401 without a token and 405 to other methods', async () => {
    for (const [method, path] of [
      ['PUT', `${PATH}/x`],
      ['DELETE', `${PATH}/x`],
      ['GET', `${PATH}/x/preview`],
    ] as const) {
      const answer = await user.api.fetch(method, path, { body: method === 'PUT' ? good : undefined });
      expect([method, answer.status]).toEqual([method, 400]);
      expect(((await answer.json()) as any).errors).toMatchObject([{ field: 'policyId' }]);
    }
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/run`],
      ['PUT', `${PATH}/${randomUUID()}`],
      ['DELETE', `${PATH}/${randomUUID()}`],
      ['GET', `${PATH}/${randomUUID()}/preview`],
    ] as const) {
      expect((await app.anonymous.fetch(method, path)).status).toBe(401);
    }
    const other = await user.api.fetch('GET', `${PATH}/run`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('should be deleted with the account and with the user', async () => {
    const owner = await app.user();
    const mine = await owner.connect('gone-1@sandbox.mailroom.test');
    await create({ ...good, mailboxAccountId: mine }, owner);
    const general = await create(good, owner);
    await app.dataSource.query('DELETE FROM mailbox_accounts WHERE id = $1', [mine]);
    expect((await owner.api.get(PATH)).body).toEqual([general]);
    await app.dataSource.query('DELETE FROM users WHERE id = $1', [owner.id]);
    const left = await app.dataSource.query('SELECT 1 FROM retention_policies WHERE user_id = $1', [
      owner.id,
    ]);
    expect(left).toEqual([]);
  });
});
