import { WorkerPool } from '../../../../src/platform/workers/worker-pool';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

describe('A search over live mail and archives', () => {
  let app: TestApp;
  let user: TestUser;
  let home: ArchiveFixture;
  let work: ArchiveFixture;

  const letter = (subject: string, text: string): Buffer =>
    eml(
      'From: Paul Plumber <paul@plumber.example>',
      'To: me@example.com',
      `Subject: ${subject}`,
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
    );
  const insert = (fixture: ArchiveFixture, day: number, subject: string, text = 'Text'): string =>
    fixture.mailbox.insert(letter(subject, text), {
      labelIds: ['INBOX'],
      internalDate: new Date(`2024-01-${String(day).padStart(2, '0')}T12:00:00Z`),
    });

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    home = await ArchiveFixture.connect(app, user, 'search-home-0@sandbox.mailroom.test');
    work = await ArchiveFixture.connect(app, user, 'search-work-0@sandbox.mailroom.test');
    const both = insert(
      home,
      1,
      'Pipes 1',
      `${'Before that. '.repeat(60)}The copper pipes are here. ${'After that. '.repeat(60)}`,
    );
    const gone = insert(home, 2, 'Pipes 2', 'Copper costs more than lead');
    await home.archive({ messageIds: [both, gone] });
    home.mailbox.remove(gone);
    insert(home, 3, 'Copper 3', 'Only in the mailbox');
    const late = insert(work, 4, 'Pipes 4', 'copper copper');
    await work.archive({ messageIds: [late] });
    insert(work, 5, 'Pipes 5', 'Live copper');

    const stranger = await app.user();
    const theirs = await ArchiveFixture.connect(app, stranger, 'search-other-0@sandbox.mailroom.test');
    await theirs.archive({ messageIds: [insert(theirs, 6, 'Pipes of another user', 'copper')] });
  });
  afterAll(() => app?.close());

  const search = async (query: Record<string, string>, as: TestUser = user): Promise<any> => {
    const { status, body } = await as.api.get(`/api/search?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body;
  };
  const subjects = ({ results }: any): string[] => results.map(({ subject }: any) => subject as string);

  it('should list each message of all mailboxes and archives once, newest first, with its place', async () => {
    const body = await search({ q: 'copper' });
    expect(
      body.results.map(({ subject, place, account_id }: any) => [subject, place, account_id as string]),
    ).toEqual([
      ['Pipes 5', 'mailbox', work.accountId],
      ['Pipes 4', 'both', work.accountId],
      ['Copper 3', 'mailbox', home.accountId],
      ['Pipes 2', 'archive', home.accountId],
      ['Pipes 1', 'both', home.accountId],
    ]);
    expect(body).toMatchObject({
      total: 5,
      total_is_exact: true,
      page: 1,
      limit: 50,
      live_search: { complete: true, not_searched: [] },
    });
    const [live, archived] = body.results;
    expect(live).toMatchObject({
      mail_id: null,
      sender: 'Paul Plumber <paul@plumber.example>',
      snippet: 'Live copper',
    });
    expect(archived).toMatchObject({
      mail_id: expect.any(String),
      label_ids: ['INBOX'],
      is_encrypted: false,
    });
  });

  it('should show the part of the text that matches, with the places of the words', async () => {
    const { results } = await search({ q: 'copper pipes', accountId: home.accountId, place: 'archive' });
    const excerpts = Object.fromEntries(results.at(-1).excerpts.map((found: any) => [found.field, found]));
    expect(excerpts.subject).toEqual({
      field: 'subject',
      text: 'Pipes 1',
      highlights: [{ start: 0, end: 5 }],
      file: null,
    });
    const { text, highlights } = excerpts.text;
    expect(text).toMatch(/^….*The copper pipes are here.*…$/);
    expect(text.length).toBeLessThan(260);
    expect(highlights.map(({ start, end }: any) => text.slice(start, end))).toEqual(['copper', 'pipes']);
  });

  it('should mark the words of mail that is only in the mailbox in what is known of it', async () => {
    const { results } = await search({ q: 'copper', place: 'mailbox', accountId: work.accountId });
    expect(results[0].excerpts).toEqual([
      { field: 'text', text: 'Live copper', highlights: [{ start: 5, end: 11 }], file: null },
    ]);
  });

  it('should mark the names of files, in the archive and in the mailbox', async () => {
    const owner = await app.user();
    const fixture = await ArchiveFixture.connect(app, owner, 'search-files-0@sandbox.mailroom.test');
    const withFile = (name: string): string =>
      fixture.mailbox.insert(
        eml(
          'From: Paul <paul@plumber.example>',
          'Subject: File',
          'Content-Type: multipart/mixed; boundary=x',
          '',
          '--x',
          '',
          'See the file',
          '--x',
          `Content-Type: application/pdf; name="${name}"`,
          `Content-Disposition: attachment; filename="${name}"`,
          'Content-Transfer-Encoding: base64',
          '',
          'JVBERg==',
          '--x--',
        ),
        { labelIds: ['INBOX'] },
      );
    await fixture.archive({ messageIds: [withFile('Zinc roof.pdf')] });
    withFile('Zinc gutter.pdf');
    const { results } = await search({ q: 'filename:zinc' }, owner);
    expect(
      results.map(({ excerpts }: any) => excerpts.map(({ field, text }: any) => [field, text])).toSorted(),
    ).toEqual([[['filename', 'Zinc gutter.pdf']], [['filename', 'Zinc roof.pdf']]]);
  });

  it('should look in one place, or in one account, on request', async () => {
    expect(subjects(await search({ q: 'copper', place: 'archive' }))).toEqual([
      'Pipes 4',
      'Pipes 2',
      'Pipes 1',
    ]);
    expect(subjects(await search({ q: 'copper', place: 'mailbox' }))).toEqual([
      'Pipes 5',
      'Pipes 4',
      'Copper 3',
      'Pipes 1',
    ]);
    expect(subjects(await search({ q: 'copper', accountId: work.accountId }))).toEqual([
      'Pipes 5',
      'Pipes 4',
    ]);
  });

  it('should put the mail that fits best first on request', async () => {
    const found = subjects(await search({ q: 'copper', sort: 'relevance' }));
    expect(found[0]).toBe('Copper 3');
    expect(found.toSorted()).toEqual(['Copper 3', 'Pipes 1', 'Pipes 2', 'Pipes 4', 'Pipes 5']);
    expect(found.indexOf('Pipes 4')).toBeLessThan(found.indexOf('Pipes 2'));
  });

  it('should page through the list', async () => {
    const pages = [];
    for (const page of ['1', '2', '3']) pages.push(await search({ q: 'copper', limit: '2', page }));
    expect(pages.map(subjects)).toEqual([['Pipes 5', 'Pipes 4'], ['Copper 3', 'Pipes 2'], ['Pipes 1']]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
  });

  it('should ask a mailbox again for the first page, and not for further ones', async () => {
    await search({ q: 'copper zinc' });
    const lists = (): number => app.sandbox.stats.calls['messages.list'] ?? 0;
    const before = lists();
    await search({ q: 'copper zinc', page: '2' });
    expect(lists()).toBe(before);
    await search({ q: 'copper zinc' });
    expect(lists()).toBeGreaterThan(before);
  });

  it('should answer with the archive, and name a mailbox that cannot be searched', async () => {
    const owner = await app.user();
    const fixture = await ArchiveFixture.connect(app, owner, 'search-rest-0@sandbox.mailroom.test');
    await fixture.archive({ messageIds: [insert(fixture, 7, 'Pipes 7', 'copper')] });
    app.sandbox.fault({ email: fixture.mailbox.email, answer: { kind: 'retryAfter', afterMs: 90_000 } });
    const body = await search({ q: 'copper' }, owner);
    expect(subjects(body)).toEqual(['Pipes 7']);
    expect(body).toMatchObject({
      total: 1,
      total_is_exact: false,
      live_search: {
        complete: false,
        not_searched: [
          { account_id: fixture.accountId, code: 'provider-rate-limited', detail: expect.any(String) },
        ],
      },
    });
  });

  it('should search by operators, and name the place of a term that is refused', async () => {
    expect(subjects(await search({ q: 'from:plumber subject:pipes copper before:2024/01/03' }))).toEqual([
      'Pipes 2',
      'Pipes 1',
    ]);
    const either = await search({ q: 'copper {subject:4 subject:5}', sort: 'relevance' });
    expect(subjects(either).toSorted()).toEqual(['Pipes 4', 'Pipes 5']);
    const { status, body } = await user.api.get('/api/search?q=copper+is:snoozed');
    expect([status, body.code, body.offset, body.length]).toEqual([400, 'search-term-unsupported', 7, 10]);
  });

  it('should search the archive for terms that the mailbox does not know', async () => {
    const body = await search({ q: 'body:copper' });
    expect(subjects(body)).toEqual(['Pipes 4', 'Pipes 2', 'Pipes 1']);
    expect(body.live_search.not_searched.map(({ code }: any) => code as string)).toEqual([
      'search-term-unsupported',
      'search-term-unsupported',
    ]);
    const { status, body: refused } = await user.api.get('/api/search?q=body:copper&place=mailbox');
    expect([status, refused.code]).toEqual([400, 'search-term-unsupported']);
  });

  it('should list what is known when a mailbox fails after it was searched', async () => {
    const owner = await app.user();
    const fixture = await ArchiveFixture.connect(app, owner, 'search-half-0@sandbox.mailroom.test');
    await fixture.archive({ messageIds: [insert(fixture, 7, 'Pipes 7', 'copper')] });
    insert(fixture, 8, 'Pipes 8', 'copper');
    for (const endpoint of ['messages.get', 'batch'])
      app.sandbox.fault({
        email: fixture.mailbox.email,
        endpoint,
        answer: { kind: 'retryAfter', afterMs: 90_000 },
        times: 'always',
      });
    const body = await search({ q: 'copper' }, owner);
    expect(subjects(body)).toEqual(['Pipes 7']);
    expect(body).toMatchObject({ total: 2, total_is_exact: false });
    expect(body.live_search.not_searched).toMatchObject([{ code: 'provider-rate-limited' }]);
  });

  it('should list messages whose text cannot be read', async () => {
    const run = jest.spyOn(app.get(WorkerPool), 'run').mockRejectedValue(new Error('out of memory'));
    try {
      expect(subjects(await search({ q: 'copper', place: 'archive' }))).toEqual([
        'Pipes 4',
        'Pipes 2',
        'Pipes 1',
      ]);
      expect(run).toHaveBeenCalled();
    } finally {
      run.mockRestore();
    }
  });

  it('should find nothing of other users', async () => {
    expect(subjects(await search({ q: 'copper' }))).not.toContain('Pipes of another user');
    const stranger = await app.user();
    expect(await search({ q: 'copper' }, stranger)).toMatchObject({
      results: [],
      total: 0,
      total_is_exact: true,
    });
    const { status, body } = await stranger.api.get(`/api/search?q=copper&accountId=${home.accountId}`);
    expect([status, body.code]).toEqual([403, 'account-not-owned']);
  });

  it('should limit API keys to the accounts that they are bound to', async () => {
    const { body } = await user.api.post('/api/auth/api-keys', {
      name: 'Bound',
      scope: 'read',
      accountIds: [work.accountId],
    });
    const withKey = (path: string): Promise<Response> =>
      fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${body.key as string}` } });
    expect(subjects(await (await withKey('/api/search?q=copper')).json())).toEqual(['Pipes 5', 'Pipes 4']);
    expect((await withKey(`/api/search?q=copper&accountId=${home.accountId}`)).status).toBe(403);
  });

  it.each([
    ['', 'q'],
    ['q=%20', 'q'],
    [`q=${'x'.repeat(2_001)}`, 'q'],
    ['q=copper&place=attic', 'place'],
    ['q=copper&sort=size', 'sort'],
    ['q=copper&page=11&limit=100', 'page'],
    ['q=copper&accountId=home', 'accountId'],
  ])('should answer 400 to ?%s', async (query, field) => {
    const { status, body } = await user.api.get(`/api/search?${query}`);
    expect([status, body.errors.map((error: any) => error.field)]).toEqual([400, [field]]);
  });

  it('should answer 401 without a token', async () => {
    expect((await app.anonymous.get('/api/search?q=copper')).status).toBe(401);
  });
});
