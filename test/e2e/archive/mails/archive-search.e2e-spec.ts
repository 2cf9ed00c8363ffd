import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

interface Letter {
  subject: string;
  from?: string;
  text?: string;
  date: string;
  thread?: string;
  inReplyTo?: string;
  attachment?: string;
}

const LETTERS: Letter[] = [
  { subject: 'Réunion de Noël', from: 'Zoé Müller <zoe@example.org>', text: 'À l’école, jeudi.', date: '2024-01-10T10:00:00Z', thread: 'meeting' },
  { subject: 'Re: Réunion de Noël', from: 'Bob <bob@example.com>', text: 'Entendu.', date: '2024-01-11T10:00:00Z', thread: 'meeting', inReplyTo: '<1@example.org>' },
  { subject: 'Re: Réunion de Noël', from: 'Zoé Müller <zoe@example.org>', text: 'Parfait, merci.', date: '2024-03-01T00:00:00Z', thread: 'meeting' },
  { subject: 'Annual report', from: 'Carol <carol_x@example.com>', text: 'The final annual report is attached.', date: '2024-02-29T23:59:59.999Z', attachment: 'Bilanz-2023.xlsx' },
  { subject: 'Report of the year', from: 'carolax@example.com', text: 'Draft: an annual but shorter report.', date: '2024-02-29T00:00:00Z' },
  { subject: 'Invoices', from: 'Shop 100% <shop@example.net>', text: 'Your invoice 4711 is ready.', date: '2024-02-28T23:59:59Z' },
]; // prettier-ignore

describe('Searching the archive', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'search-0@sandbox.mailroom.test');
    const threads = new Map<string, string>();
    const ids = LETTERS.map((letter) => {
      const id = sut.mailbox.insert(messageOf(letter), {
        labelIds: ['INBOX'],
        internalDate: new Date(letter.date),
        ...(letter.thread && threads.has(letter.thread) ? { threadId: threads.get(letter.thread) } : {}),
      });
      if (letter.thread && !threads.has(letter.thread)) threads.set(letter.thread, sut.mailbox.threadId(id));
      return id;
    });
    expect((await sut.archive({ messageIds: ids })).processed).toBe(LETTERS.length);
  });

  afterAll(() => app?.close());

  function messageOf(letter: Letter): Buffer {
    if (letter.attachment) {
      return emlWithAttachment({
        subject: letter.subject,
        from: letter.from,
        text: letter.text,
        disposition: `filename="${letter.attachment}"`,
        content: Buffer.from('sheet'),
      });
    }
    return eml(
      `From: ${letter.from}`,
      'To: Bob <bob@example.com>',
      `Subject: ${letter.subject}`,
      ...(letter.inReplyTo ? [`In-Reply-To: ${letter.inReplyTo}`, `References: ${letter.inReplyTo}`] : []),
      'Content-Type: text/plain; charset=utf-8',
      '',
      letter.text ?? '',
    );
  }

  const list = async (query: Record<string, string>): Promise<any> => {
    const { status, body } = await user.api.get(`${sut.path}/mails?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body;
  };
  const subjects = async (query: Record<string, string>): Promise<string[]> => {
    const { mails, total } = await list(query);
    expect(total).toBe(mails.length);
    return mails.map((mail: any) => mail.subject as string);
  };

  it('should list everything newest first, with exactly the fields of the contract and ours', async () => {
    const body = await list({});
    expect(body).toMatchObject({ total: 6, page: 1, limit: 50 });
    const dates = body.mails.map((mail: any) => mail.date as string);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(Object.keys(body.mails[0]).sort()).toEqual(
      [
        'id',
        'mailbox_message_id',
        'subject',
        'sender',
        'date',
        'size_bytes',
        'has_attachments',
        'label_ids',
        'archived_at',
        ...['received_at', 'date_source', 'thread_id', 'recipient', 'snippet', 'is_encrypted'],
        ...['presence', 'only_in_archive'],
      ].sort(),
    );
    expect(typeof body.mails[0].size_bytes).toBe('number');
  });

  it('should page', async () => {
    const first = await list({ limit: '4', page: '1' });
    const second = await list({ limit: '4', page: '2' });
    const third = await list({ limit: '4', page: '3' });
    expect([first.mails.length, second.mails.length, third.mails.length]).toEqual([4, 2, 0]);
    expect(new Set([...first.mails, ...second.mails].map((mail: any) => mail.id)).size).toBe(6);
    expect([first.total, third.total, third.page]).toEqual([6, 6, 3]);
    expect((await list({ limit: '100000' })).limit).toBe(100);
  });

  it.each([
    ['reunion noel', 3],
    ['RÉUNION', 3],
    ['ecole', 1],
    ['muller', 2],
    ['annual report', 2],
    ['"annual report"', 1],
    ['annual -draft', 1],
    ['report -"final annual report"', 1],
    ['bilanz', 1],
    ['2023.xlsx', 1],
    ['invoi', 1],
    ['invoi ready', 0],
    ['invoice 4711', 1],
    ['zoe@example.org', 2],
    ['bob@example.com', 6],
    ['nothing-of-the-kind', 0],
    ["it's & | ! ( :* <-> '", 0],
  ])('should find %j %i times', async (q, count) => {
    expect(await subjects({ q })).toHaveLength(count);
  });

  it.each([
    [{ sender: 'ZOÉ' }, 2],
    [{ sender: 'example.com' }, 3],
    [{ sender: 'carol_x' }, 1],
    [{ sender: '100%' }, 1],
    [{ sender: '%' }, 1],
    [{ sender: '\\' }, 0],
    [{ has_attachments: 'true' }, 1],
    [{ has_attachments: 'false' }, 5],
    [{ from_date: '2024-02-29' }, 3],
    [{ to_date: '2024-02-29' }, 5],
    [{ from_date: '2024-02-29', to_date: '2024-02-29' }, 2],
    [{ from_date: '2024-02-29T00:00:00.001Z', to_date: '2024-03-01T00:00:00Z' }, 2],
    [{ q: 'reunion', sender: 'zoe@', from_date: '2024-02-01' }, 1],
    [{ q: 'report', has_attachments: 'true' }, 1],
    [{ recipient: 'BOB' }, 6],
    [{ recipient: 'carol' }, 0],
    [{ label: 'INBOX' }, 6],
    [{ label: 'inbox' }, 0],
    [{ q: 'report', label: 'INBOX', recipient: 'example.com' }, 2],
    [{ min_size: '0', max_size: '100000' }, 6],
    [{ min_size: '100000' }, 0],
    [{ encrypted: 'true' }, 0],
    [{ encrypted: 'false', sender: 'zoe' }, 2],
    [{ archived_until: '2024-12-31' }, 0],
    [{ archived_until: '2124-12-31' }, 6],
  ])('should filter by %j', async (query, count) => {
    expect(await subjects(query as Record<string, string>)).toHaveLength(count);
  });

  it.each([
    ['from_date=soon', 'from_date'],
    ['to_date=2024-02-30', 'to_date'],
    ['page=0', 'page'],
    ['limit=0', 'limit'],
    ['limit=abc', 'limit'],
    ['has_attachments=perhaps', 'has_attachments'],
    ['encrypted=perhaps', 'encrypted'],
    ['min_size=-1', 'min_size'],
    ['max_size=1.5', 'max_size'],
    ['max_size=9007199254740992', 'max_size'],
    ['archived_until=yesterday', 'archived_until'],
    [`label=${'l'.repeat(999)}`, 'label'],
    [`recipient=${'r'.repeat(999)}`, 'recipient'],
  ])('should refuse ?%s', async (query, field) => {
    for (const resource of ['mails', 'threads']) {
      const { status, body } = await user.api.get(`${sut.path}/${resource}?${query}`);
      expect(status).toBe(400);
      expect(body.errors[0].field).toBe(field);
    }
  });

  it.each([
    ['sort=from', 'sort'],
    ['order=up', 'order'],
  ])('should refuse mails ?%s', async (query, field) => {
    const { status, body } = await user.api.get(`${sut.path}/mails?${query}`);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  });

  it.each([
    ['from:carol -subject:(year)', 'Annual report'],
    ['to:bob {subject:invoices subject:nothing}', 'Invoices'],
    ['filename:bilanz has:attachment', 'Annual report'],
    ['in:inbox -filename:bilanz carol', 'Report of the year'],
    ['in:inbox -in:inbox', null],
  ])('should understand %s', async (q, subject) => {
    expect(await subjects({ q })).toEqual(subject === null ? [] : [subject]);
    const threads = await user.api.get(`${sut.path}/threads?${new URLSearchParams({ q }).toString()}`);
    expect(threads.body.total).toBe(subject === null ? 0 : 1);
  });

  it('should refuse a term that it cannot search for, and say where it stands', async () => {
    const q = 'annual -newer_than:2w';
    const paths = ['mails', 'threads', 'facets'].map((resource) => `${sut.path}/${resource}`);
    for (const path of [...paths, '/api/archive/search']) {
      const { status, body } = await user.api.get(`${path}?${new URLSearchParams({ q }).toString()}`);
      expect([path, status]).toEqual([path, 400]);
      expect(body).toMatchObject({ code: 'search-term-unsupported', offset: 8, length: 13 });
      expect(body.detail).toContain('"newer_than:2w"');
      expect(body.errors[0].field).toBe('q');
    }
  });

  it('should sort by size, sender and subject, in both directions', async () => {
    const { mails } = await list({});
    const values = (sorted: any[], field: string): unknown[] => sorted.map((mail) => mail[field]);
    const folded = (field: string): string[] =>
      mails.map((mail: any) => (mail[field] as string).toLowerCase()).sort();
    for (const field of ['sender', 'subject']) {
      const ascending = (await list({ sort: field, order: 'asc' })).mails;
      expect(values(ascending, field).map((text) => (text as string).toLowerCase())).toEqual(folded(field));
      const descending = (await list({ sort: field })).mails;
      expect(values(descending, 'id')).toEqual(values(ascending, 'id').reverse());
    }
    const bySize = (await list({ sort: 'size' })).mails;
    expect(values(bySize, 'size_bytes')).toEqual(
      mails.map((mail: any) => mail.size_bytes as number).sort((a: number, b: number) => b - a),
    );
    expect(values((await list({ order: 'asc' })).mails, 'id')).toEqual(values(mails, 'id').reverse());
    const found = await list({ q: 'report', sort: 'sender', order: 'asc', limit: '1', page: '2' });
    expect(found).toMatchObject({ total: 2, mails: [{ sender: 'carolax@example.com' }] });
  });

  it('should keep a list stable while mail is archived', async () => {
    const first = await list({ limit: '2' });
    expect(first.archived_until).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await app.dataSource.query(
      `UPDATE archived_mails SET archived_at = archived_at + interval '1 minute'
        WHERE account_id = $1 AND date = (SELECT max(date) FROM archived_mails WHERE account_id = $1)`,
      [sut.accountId],
    );
    try {
      const held = await list({ archived_until: first.archived_until });
      expect(held).toMatchObject({ total: 5, archived_until: first.archived_until });
      expect(held.mails[0].id).toBe(first.mails[1].id);
      expect((await list({ q: 'reunion', archived_until: first.archived_until })).total).toBe(2);
      const { body } = await user.api.get(`${sut.path}/facets?archived_until=${first.archived_until}`);
      expect(body.total).toBe(5);
      expect((await list({})).archived_until > first.archived_until).toBe(true);
    } finally {
      await app.dataSource.query(
        `UPDATE archived_mails SET archived_at = archived_at - interval '1 minute'
          WHERE account_id = $1 AND date = (SELECT max(date) FROM archived_mails WHERE account_id = $1)`,
        [sut.accountId],
      );
    }
  });

  describe('threads', () => {
    it('should summarise whole threads, those with the latest mail first', async () => {
      const { body } = await user.api.get(`${sut.path}/threads`);
      expect(body).toMatchObject({ total: 4, page: 1, limit: 50 });
      const [latest] = body.threads;
      const { mails } = await list({ q: 'reunion' });
      expect(latest).toEqual({
        thread_id: sut.mailbox.threadId(mails[0].mailbox_message_id as string),
        message_count: 3,
        latest_date: '2024-03-01T00:00:00.000Z',
        senders: ['Zoé Müller <zoe@example.org>', 'Bob <bob@example.com>'],
        total_size: mails.reduce((sum: number, mail: any) => sum + (mail.size_bytes as number), 0),
        has_attachments: false,
        id: mails[0].id,
        subject: 'Re: Réunion de Noël',
        sender: 'Zoé Müller <zoe@example.org>',
        snippet: expect.stringContaining('Parfait'),
        date: '2024-03-01T00:00:00.000Z',
        received_at: '2024-03-01T00:00:00.000Z',
        date_source: mails[0].date_source,
        archived_at: expect.stringMatching(/Z$/),
      });
      expect(body.threads.map((thread: any) => thread.latest_date)).toEqual(
        body.threads
          .map((thread: any) => thread.latest_date as string)
          .sort()
          .reverse(),
      );
    });

    it('should find threads by any of their mails', async () => {
      const { body } = await user.api.get(`${sut.path}/threads?q=entendu`);
      expect(body).toMatchObject({ total: 1 });
      expect(body.threads[0]).toMatchObject({ message_count: 3, subject: 'Re: Réunion de Noël' });
      const filtered = await user.api.get(`${sut.path}/threads?q=report&sender=carol&limit=1&page=2`);
      expect(filtered.body).toMatchObject({ total: 2, page: 2, limit: 1 });
      expect(filtered.body.threads).toHaveLength(1);
      expect((await user.api.get(`${sut.path}/threads?has_attachments=true`)).body.total).toBe(1);
      expect((await user.api.get(`${sut.path}/threads?q=nowhere`)).body).toMatchObject({
        total: 0,
        threads: [],
      });
    });

    it('should read a thread oldest first', async () => {
      const { mails } = await list({ q: 'reunion' });
      const threadId = sut.mailbox.threadId(mails[0].mailbox_message_id as string);
      const { body } = await user.api.get(`${sut.path}/threads/${encodeURIComponent(threadId)}`);
      expect(body.map((mail: any) => mail.id)).toEqual(mails.map((mail: any) => mail.id).reverse());
      expect(body[1]).toMatchObject({
        thread_id: threadId,
        recipient: 'Bob <bob@example.com>',
        in_reply_to: '<1@example.org>',
        references_header: '<1@example.org>',
        attachments: [],
      });
      const report = (await list({ q: 'bilanz' })).mails[0];
      const single = await user.api.get(
        `${sut.path}/threads/${sut.mailbox.threadId(report.mailbox_message_id as string)}`,
      );
      expect(single.body[0].attachments).toEqual([
        {
          id: expect.any(String),
          filename: 'Bilanz-2023.xlsx',
          mime_type: 'application/octet-stream',
          size_bytes: 5,
        },
      ]);
    });

    it('should keep threads and totals correct when mails are deleted', async () => {
      const { mails } = await list({ q: 'reunion' });
      await app.dataSource.query('DELETE FROM archived_mails WHERE id = $1', [mails[0].id]);
      let { kept, counted } = await sut.totals();
      expect(kept).toEqual(counted);
      const threads = (await user.api.get(`${sut.path}/threads`)).body;
      expect(threads.threads.find((thread: any) => thread.message_count === 2).latest_date).toBe(
        '2024-01-11T10:00:00.000Z',
      );
      await app.dataSource.query('DELETE FROM archived_mails WHERE id = ANY ($1)', [
        mails.slice(1).map((mail: any) => mail.id),
      ]);
      ({ kept, counted } = await sut.totals());
      expect(kept).toEqual(counted);
      expect((await user.api.get(`${sut.path}/threads`)).body.total).toBe(3);
    });
  });
});
