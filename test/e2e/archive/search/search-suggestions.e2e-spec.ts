import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

describe('Suggestions for a search', () => {
  let app: TestApp;
  let user: TestUser;
  let home: ArchiveFixture;
  let work: ArchiveFixture;
  let theirs: ArchiveFixture;

  const letterFrom = (fixture: ArchiveFixture, from: string, day: number): string =>
    fixture.mailbox.insert(eml(`From: ${from}`, 'To: me@example.com', 'Subject: Letter', '', 'Text'), {
      labelIds: ['INBOX'],
      internalDate: new Date(Date.UTC(2024, 0, day, 12)),
    });

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    home = await ArchiveFixture.connect(app, user, 'suggest-home-0@sandbox.mailroom.test');
    work = await ArchiveFixture.connect(app, user, 'suggest-work-0@sandbox.mailroom.test');
    await home.archive({
      messageIds: [
        letterFrom(home, 'Ada Plumber <ada@plumber.example>', 1),
        letterFrom(home, 'Jörg 100%_Copper <JOERG@firm.example>', 2),
      ],
    });
    letterFrom(work, 'Adam Roofer <adam@roofer.example>', 3);
    letterFrom(work, 'Ada Plumber <ada@plumber.example>', 4);
    letterFrom(work, 'Ada Plumber <ada@plumber.example>', 5);
    // Reads the newest messages into the index.
    await user.api.get(`/api/analytics/${work.accountId}/sender-scores`);
    const made = await user.api.post(`/api/mailbox/${home.accountId}/labels`, { name: 'Adriatic/Été' });
    expect(made.status).toBe(201);
    await user.api.get(`/api/mailbox/${home.accountId}/labels`);

    const stranger = await app.user();
    theirs = await ArchiveFixture.connect(app, stranger, 'suggest-other-0@sandbox.mailroom.test');
    await theirs.archive({ messageIds: [letterFrom(theirs, 'Adele Stranger <adele@other.example>', 6)] });
  });
  afterAll(() => app?.close());

  const suggest = async (query: Record<string, string>, as = user): Promise<any> => {
    const { status, body } = await as.api.get(
      `/api/search/suggestions?${new URLSearchParams(query).toString()}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const emails = async (text: string): Promise<string[]> =>
    (await suggest({ text })).people.map(({ email }: any) => email as string);

  it('should name people of archives and mailboxes, those with most messages first', async () => {
    const { people, labels } = await suggest({ text: 'ad' });
    expect(people).toEqual([
      { email: 'ada@plumber.example', sender: 'Ada Plumber <ada@plumber.example>' },
      { email: 'adam@roofer.example', sender: 'Adam Roofer <adam@roofer.example>' },
    ]);
    expect(labels).toEqual(['Adriatic/Été']);
  });

  it.each([
    ['plumb', ['ada@plumber.example']],
    ['ROOF', ['adam@roofer.example']],
    ['jorg', ['joerg@firm.example']],
    ['Jörg', ['joerg@firm.example']],
    ['100%_', ['joerg@firm.example']],
    ['lumber', []],
    ['.*a', []],
    ['a%a', []],
  ])('should find for %j: %j', async (text, expected) => {
    expect(await emails(text)).toEqual(expected);
  });

  it('should find labels by any word of their names, without accents', async () => {
    expect((await suggest({ text: 'ete' })).labels).toEqual(['Adriatic/Été', 'Été']);
  });

  it('should look into one account on request', async () => {
    const { people, labels } = await suggest({ text: 'ad', accountId: work.accountId });
    expect(people).toHaveLength(2);
    expect(labels).toEqual([]);
    expect((await suggest({ text: 'ad', accountId: home.accountId })).people).toHaveLength(1);
  });

  it.each(['', 'text=', 'text=%25', `text=${'a'.repeat(101)}`, 'text=a&text=b'])(
    'should answer 400 to ?%s, naming the field',
    async (query) => {
      const { status, body } = await user.api.get(`/api/search/suggestions?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ field: 'text' })]);
    },
  );

  it('should refuse the account of another user, and who is not signed in', async () => {
    const path = `/api/search/suggestions?text=ad&accountId=${theirs.accountId}`;
    expect((await user.api.get(path)).status).toBe(403);
    expect((await app.anonymous.get('/api/search/suggestions?text=ad')).status).toBe(401);
    expect((await user.api.get('/api/search/suggestions?text=ad&accountId=home')).status).toBe(400);
  });
});
