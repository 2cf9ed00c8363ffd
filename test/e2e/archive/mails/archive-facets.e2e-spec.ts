import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

describe('Facets of an archive', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let bills: string;

  const letter = (from: string, subject: string): Buffer =>
    eml(`From: ${from}`, 'To: me@example.com', `Subject: ${subject}`, '', 'Text');

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'facets-0@sandbox.mailroom.test');
    const { body } = await user.api.post(`/api/mailbox/${sut.accountId}/labels`, { name: 'Bills' });
    bills = body.id as string;
    const insert = (raw: Buffer, date: string, ...labelIds: string[]): string =>
      sut.mailbox.insert(raw, { labelIds, internalDate: new Date(date) });
    const messageIds = [
      insert(letter('Bank <info@bank.example>', 'Invoice 1'), '2024-01-31T23:59:59.999Z', 'INBOX', bills),
      insert(letter('The Bank <INFO@bank.example>', 'Invoice 2'), '2024-02-01T00:00:00Z', bills),
      insert(letter('Bank <info@bank.example>', 'Offer'), '2023-02-15T12:00:00Z', 'INBOX'),
      insert(
        emlWithAttachment({ disposition: 'filename="a.txt"', content: Buffer.from('a') }),
        '2024-02-03T12:00:00Z',
      ),
    ];
    expect((await sut.archive({ messageIds })).processed).toBe(4);
  });
  afterAll(() => app?.close());

  const facets = async (query: Record<string, string> = {}): Promise<any> => {
    const { status, body } = await user.api.get(
      `${sut.path}/facets?${new URLSearchParams(query).toString()}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const sizes = async (): Promise<number[]> => {
    const { body } = await user.api.get(`${sut.path}/mails?order=asc`);
    return body.mails.map((mail: any) => mail.size_bytes as number);
  };

  it('should count all mails by label, sender and month', async () => {
    const [offer, first, second, attached] = (await sizes()) as [number, number, number, number];
    expect(await facets()).toEqual({
      total: 4,
      total_size: offer + first + second + attached,
      with_attachments: 1,
      encrypted: 0,
      labels: [
        { id: 'INBOX', name: 'INBOX', count: 2 },
        { id: bills, name: 'Bills', count: 2 },
      ],
      senders: [
        {
          address: 'info@bank.example',
          sender: 'The Bank <INFO@bank.example>',
          count: 3,
          total_size: offer + first + second,
        },
        {
          address: 'alice@example.com',
          sender: 'Alice Example <alice@example.com>',
          count: 1,
          total_size: attached,
        },
      ],
      months: [
        { month: '2024-02', count: 2 },
        { month: '2024-01', count: 1 },
        { month: '2023-02', count: 1 },
      ],
    });
  });

  it('should count the mails of a search', async () => {
    const [, first, second] = (await sizes()) as [number, number, number];
    const expected = {
      total: 2,
      total_size: first + second,
      with_attachments: 0,
      encrypted: 0,
      labels: [
        { id: bills, name: 'Bills', count: 2 },
        { id: 'INBOX', name: 'INBOX', count: 1 },
      ],
      senders: [
        {
          address: 'info@bank.example',
          sender: 'The Bank <INFO@bank.example>',
          count: 2,
          total_size: first + second,
        },
      ],
      months: [
        { month: '2024-02', count: 1 },
        { month: '2024-01', count: 1 },
      ],
    };
    const queries: Record<string, string>[] = [
      { q: 'invoice' },
      { label: bills },
      { sender: 'bank', from_date: '2024-01-01' },
      { q: '-offer', sender: 'bank' },
    ];
    for (const query of queries) expect(await facets(query)).toEqual(expected);
    expect(await facets({ sender: 'nobody' })).toEqual({
      ...{ total: 0, total_size: 0, with_attachments: 0, encrypted: 0 },
      ...{ labels: [], senders: [], months: [] },
    });
  });

  it('should reflect the current labels of mails', async () => {
    const one = `(SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY date LIMIT 1)`;
    const count = async (): Promise<number> =>
      (await facets()).labels.find(({ id }: any) => id === bills).count;
    expect(await count()).toBe(2);
    await app.dataSource.query(
      `UPDATE archived_mails SET label_ids = label_ids || $2::text WHERE id = ${one}`,
      [sut.accountId, bills],
    );
    expect(await count()).toBe(3);
    expect((await facets({ label: bills })).total).toBe(3);
    await app.dataSource.query(`UPDATE archived_mails SET label_ids = '{INBOX}' WHERE id = ${one}`, [
      sut.accountId,
    ]);
    expect((await facets({ label: bills })).total).toBe(2);
  });

  it.each([
    ['from_date=soon', 'from_date'],
    ['min_size=many', 'min_size'],
    ['encrypted=perhaps', 'encrypted'],
  ])('should refuse ?%s', async (query, field) => {
    const { status, body } = await user.api.get(`${sut.path}/facets?${query}`);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  });

  it('should not be accessible to other users', async () => {
    const stranger = await app.user();
    expect((await stranger.api.get(`${sut.path}/facets`)).body.code).toBe('account-not-owned');
    expect((await app.anonymous.get(`${sut.path}/facets`)).status).toBe(401);
  });

  it('should keep the names of renamed labels, and of disconnected mailboxes', async () => {
    const nameOf = async (): Promise<string> =>
      (await facets()).labels.find(({ id }: any) => id === bills).name;
    await app.dataSource.query(`UPDATE label_names SET name = 'Former name' WHERE account_id = $1`, [
      sut.accountId,
    ]);
    expect(await nameOf()).toBe('Former name');
    await user.api.get(`/api/mailbox/${sut.accountId}/labels`);
    expect(await nameOf()).toBe('Bills');
    expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}`)).status).toBe(204);
    expect(await nameOf()).toBe('Bills');
  });
});
