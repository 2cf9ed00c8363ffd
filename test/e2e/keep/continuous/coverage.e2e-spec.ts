import { startTestApp, type TestApp } from '../../../support/app';
import { LedgerFixture } from '../../../support/ledger/ledger-fixture';
import type { TestUser } from '../../../support/test-user';

describe('Coverage', () => {
  let app: TestApp;
  let user: TestUser;
  let other: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    [user, other] = [await app.user(), await app.user()];
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });
  afterAll(() => app?.close());

  const start = (messages: number, mode?: string): Promise<LedgerFixture> =>
    LedgerFixture.start(app, user, `coverage${(boxes += 1)}-${messages}@sandbox.mailroom.test`, mode);

  describe('what may be deleted', () => {
    const ask = (sut: LedgerFixture, body: object): Promise<any> =>
      user.api.post(`${sut.path}/deletable`, body);

    it('should be requested for at most 10,000 messages, either by id or by query', async () => {
      const sut = await start(0);
      const messageIds = Array.from({ length: 10_001 }, (_, number) => `m${number}`);
      expect(await ask(sut, { messageIds })).toMatchObject({
        status: 400,
        body: { code: 'too-many-messages' },
      });
      expect((await ask(sut, { messageIds: messageIds.slice(1) })).body).toMatchObject({
        yes: 0,
        no: 10_000,
      });
      for (const body of [{}, { messageIds: [] }, { messageIds: ['a b'] }, { query: ' ' }]) {
        expect((await ask(sut, body)).status).toBe(400);
      }
      expect(await ask(sut, { messageIds: ['a'], query: 'b' })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'query' }] },
      });
    });
  });

  it('should be refused while archiving is off, and to other users', async () => {
    const sut = await start(1, 'off');
    const routes: [string, string, object?][] = [
      ['GET', sut.path],
      ['GET', `${sut.path}/messages`],
      ['GET', `${sut.path}/messages/m`],
      ['POST', `${sut.path}/deletable`, { messageIds: ['m'] }],
    ];
    for (const [method, path, body] of routes) {
      const call = (api = user.api): Promise<any> =>
        method === 'GET' ? api.get(path) : api.post(path, body);
      expect(await call()).toMatchObject({ status: 409, body: { code: 'coverage-off' } });
      expect((await call(other.api)).status).toBe(403);
      expect((await call(app.anonymous)).status).toBe(401);
    }
  });
});
