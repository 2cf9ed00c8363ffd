import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

describe('A search in all archives', () => {
  let app: TestApp;
  let user: TestUser;
  let home: ArchiveFixture;
  let work: ArchiveFixture;

  const letter = (subject: string, text = 'Text'): Buffer =>
    eml('From: Bank <info@bank.example>', 'To: me@example.com', `Subject: ${subject}`, '', text);

  const archive = async (
    owner: TestUser,
    address: string,
    ...mails: readonly (readonly [Buffer, string])[]
  ): Promise<ArchiveFixture> => {
    const fixture = await ArchiveFixture.connect(app, owner, address);
    const messageIds = mails.map(([raw, date]) =>
      fixture.mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: new Date(date) }),
    );
    expect((await fixture.archive({ messageIds })).processed).toBe(mails.length);
    return fixture;
  };

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    home = await archive(
      user,
      'home-0@sandbox.mailroom.test',
      [letter('Invoice 1'), '2024-01-01T12:00:00Z'],
      [letter('Invoice 3', 'Long '.repeat(500)), '2024-01-03T12:00:00Z'],
      [letter('Offer'), '2024-01-06T12:00:00Z'],
    );
    work = await archive(
      user,
      'work-0@sandbox.mailroom.test',
      [letter('Invoice 2'), '2024-01-02T12:00:00Z'],
      [letter('Invoice 4'), '2024-01-04T12:00:00Z'],
    );
    await archive(await app.user(), 'other-0@sandbox.mailroom.test', [
      letter('Invoice of somebody else'),
      '2024-01-05T12:00:00Z',
    ]);
  });
  afterAll(() => app?.close());

  const search = async (query: Record<string, string>): Promise<any> => {
    const path = `/api/archive/search?${new URLSearchParams(query).toString()}`;
    const { status, body } = await user.api.get(path);
    expect(status).toBe(200);
    return body;
  };
  const subjects = ({ mails }: any): string[] => mails.map((mail: any) => mail.subject as string);

  it('should find the mail of all mailboxes of the user, newest first, with its mailbox', async () => {
    const body = await search({ q: 'invoice' });
    expect(subjects(body)).toEqual(['Invoice 4', 'Invoice 3', 'Invoice 2', 'Invoice 1']);
    expect(body).toMatchObject({ total: 4, page: 1, limit: 50, archived_until: expect.any(String) });
    expect(body.mails.map((mail: any) => mail.mailbox_account_id)).toEqual([
      work.accountId,
      home.accountId,
      work.accountId,
      home.accountId,
    ]);
    const { body: listed } = await user.api.get(`${work.path}/mails?q=invoice&limit=1`);
    expect(body.mails[0]).toEqual({ ...listed.mails[0], mailbox_account_id: work.accountId });
  });

  it('should list everything without a filter, in pages', async () => {
    const pages = [];
    for (const page of ['1', '2', '3']) pages.push(await search({ limit: '2', page }));
    expect(pages.flatMap(subjects)).toEqual(['Offer', 'Invoice 4', 'Invoice 3', 'Invoice 2', 'Invoice 1']);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
  });

  it('should sort, and filter like the lists of one archive', async () => {
    expect(subjects(await search({ q: 'invoice', order: 'asc' }))).toEqual([
      'Invoice 1',
      'Invoice 2',
      'Invoice 3',
      'Invoice 4',
    ]);
    expect(subjects(await search({ sort: 'size', limit: '1' }))).toEqual(['Invoice 3']);
    expect(subjects(await search({ from_date: '2024-01-03', to_date: '2024-01-04' }))).toEqual([
      'Invoice 4',
      'Invoice 3',
    ]);
    expect(await search({ q: 'nothing-has-this-word' })).toMatchObject({ mails: [], total: 0 });
  });

  it('should be limited to one mailbox on request', async () => {
    expect(subjects(await search({ accountId: home.accountId, q: 'invoice' }))).toEqual([
      'Invoice 3',
      'Invoice 1',
    ]);
  });

  it('should limit API keys to the mailboxes that they are bound to', async () => {
    const { body } = await user.api.post('/api/auth/api-keys', {
      name: 'Bound',
      scope: 'read',
      accountIds: [home.accountId],
    });
    const withKey = (path: string) =>
      fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${body.key as string}` } });
    const found: any = await (await withKey('/api/archive/search?q=invoice')).json();
    expect(subjects(found)).toEqual(['Invoice 3', 'Invoice 1']);
    expect((await withKey(`/api/archive/search?accountId=${work.accountId}`)).status).toBe(403);
  });

  it.each([
    ['page=11&limit=100', 'page'],
    ['page=0', 'page'],
    ['sort=sender', 'sort'],
    ['order=up', 'order'],
    ['from_date=soon', 'from_date'],
    ['accountId=home', 'accountId'],
  ])('should answer 400 to ?%s', async (query, field) => {
    const { status, body } = await user.api.get(`/api/archive/search?${query}`);
    expect([status, body.errors.map((error: any) => error.field)]).toEqual([400, [field]]);
  });

  it('should answer 401 without a token, and 403 for the mailbox of another user', async () => {
    expect((await app.anonymous.get('/api/archive/search')).status).toBe(401);
    const stranger = await app.user();
    const { status, body } = await stranger.api.get(`/api/archive/search?accountId=${home.accountId}`);
    expect([status, body.code]).toEqual([403, 'account-not-owned']);
  });
});
