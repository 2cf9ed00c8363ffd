import { ArchiveFoundations1763700000004 } from '../../../../migrations/1763700000004-archive-foundations';
import { FileDeletions1763700000012 } from '../../../../migrations/1763700000012-file-deletions';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

interface Sample {
  readonly filename: string;
  readonly bytes: number;
  readonly subject: string;
  readonly from: string;
  readonly date: string;
}

const SAMPLES: readonly Sample[] = [
  {
    filename: 'Report 2024.pdf',
    bytes: 5_000,
    subject: 'Annual report',
    from: 'Alice <alice@example.com>',
    date: '2024-01-01T10:00:00Z',
  },
  {
    filename: 'photo.jpg',
    bytes: 90_000,
    subject: 'Été à la mer',
    from: 'José <jose@example.org>',
    date: '2024-03-01T10:00:00Z',
  },
  {
    filename: 'invoice_100%.pdf',
    bytes: 300,
    subject: 'Your invoice',
    from: 'Billing <billing@shop.example>',
    date: '2023-06-01T10:00:00Z',
  },
  {
    filename: 'résumé.docx',
    bytes: 5_000,
    subject: 'Application',
    from: 'Bob <bob@example.com>',
    date: '2022-01-01T10:00:00Z',
  },
];

describe('Archived attachments', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let box: ArchiveFixture;
  let path: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    stranger = await app.user('stranger');
    box = await ArchiveFixture.connect(app, user, 'attached-0@sandbox.mailroom.test');
    path = `/api/attachments/${box.accountId}/archived`;
    const ids = SAMPLES.map(({ filename, bytes, subject, from, date }) =>
      box.mailbox.insert(
        emlWithAttachment({
          subject,
          from,
          disposition: `filename*=UTF-8''${encodeURIComponent(filename)}`,
          mimeType: 'application/pdf',
          content: Buffer.alloc(bytes, filename),
        }),
        { labelIds: ['INBOX'], internalDate: new Date(date) },
      ),
    );
    ids.push(box.mailbox.insert(inlineImage(), { labelIds: ['INBOX'] }));
    const job = await box.archive({ messageIds: ids });
    expect(job).toMatchObject({ status: 'completed', processed: 5 });
    // Mail of another user is in no list.
    const other = await ArchiveFixture.connect(app, stranger, 'strange-0@sandbox.mailroom.test');
    await other.insertAndArchive(
      emlWithAttachment({ disposition: 'filename="report.pdf"', content: Buffer.alloc(10_000) }),
    );
  });

  afterAll(() => app?.close());

  /** A message whose only part besides text is an image that the text shows. */
  function inlineImage(): Buffer {
    return eml(
      'From: a@example.com',
      'Subject: shown',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="cut"',
      '',
      '--cut',
      'Content-Type: text/html',
      '',
      '<img src="cid:logo@x">',
      '--cut',
      'Content-Type: image/png; name="logo.png"',
      'Content-Disposition: inline; filename="logo.png"',
      'Content-ID: <logo@x>',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--cut--',
      '',
    );
  }

  const names = async (query = ''): Promise<string[]> => {
    const { status, body } = await user.api.get(`${path}${query}`);
    expect(status).toBe(200);
    return body.attachments.map(({ filename }: { filename: string }) => filename);
  };

  it('should list every file of the account, largest first, with its mail', async () => {
    const { status, body } = await user.api.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 4, totalSizeBytes: 100_300, page: 1, limit: 50 });
    const row = [...(await box.rows()).values()].find(({ subject }) => subject === 'Été à la mer');
    expect(body.attachments[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'photo.jpg',
      mime_type: 'application/pdf',
      size_bytes: 90_000,
      file_path: `${row.storage_key as string}#2/photo.jpg`,
      mail_subject: 'Été à la mer',
      mail_sender: 'José <jose@example.org>',
      mail_date: '2024-03-01T10:00:00.000Z',
      mailbox_message_id: row.mailbox_message_id,
      archived_mail_id: row.id,
    });
  });

  it('should order by size and date, in both directions, and deterministically', async () => {
    // Two are of one size: the newer one is the larger.
    const bySize = ['photo.jpg', 'Report 2024.pdf', 'résumé.docx', 'invoice_100%.pdf'];
    const byDate = ['photo.jpg', 'Report 2024.pdf', 'invoice_100%.pdf', 'résumé.docx'];
    expect(await names('?sort=size&order=desc')).toEqual(bySize);
    expect(await names('?sort=size&order=asc')).toEqual([...bySize].reverse());
    expect(await names('?sort=date')).toEqual(byDate);
    expect(await names('?sort=date&order=asc')).toEqual([...byDate].reverse());
  });

  it('should page through all of them once', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => names(`?limit=1&page=${page}`)));
    expect(pages.flat()).toEqual(await names());
    const { body } = await user.api.get(`${path}?limit=1000&page=2`);
    expect(body).toEqual({ attachments: [], total: 4, totalSizeBytes: 100_300, page: 2, limit: 100 });
  });

  it.each([
    ['report', ['Report 2024.pdf']],
    ['REPORT alice', ['Report 2024.pdf']],
    ['report bob', []],
    ['resume', ['résumé.docx']],
    ['ete', ['photo.jpg']],
    ['JOSÉ', ['photo.jpg']],
    ['example.com', ['Report 2024.pdf', 'résumé.docx']],
    ['pd', ['Report 2024.pdf', 'invoice_100%.pdf']],
    ['100%', ['invoice_100%.pdf']],
    ['_1', ['invoice_100%.pdf']],
    ['%', ['invoice_100%.pdf']],
    ['\\', []],
    ["' OR 1=1 --", []],
    ['logo', []],
    ['   ', ['photo.jpg', 'Report 2024.pdf', 'résumé.docx', 'invoice_100%.pdf']],
  ])('should find by %j', async (q, found) => {
    const { body } = await user.api.get(`${path}?q=${encodeURIComponent(q)}`);
    expect(body.attachments.map(({ filename }: any) => filename)).toEqual(found);
    const sizes = SAMPLES.filter(({ filename }) => found.includes(filename)).map(({ bytes }) => bytes);
    expect([body.total, body.totalSizeBytes]).toEqual([
      found.length,
      sizes.reduce((sum, size) => sum + size, 0),
    ]);
  });

  it.each([
    ['sort=name', 'sort'],
    ['order=up', 'order'],
    ['page=0', 'page'],
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    [`q=${'x'.repeat(501)}`, 'q'],
  ])('should refuse ?%s', async (query, field) => {
    const { status, body } = await user.api.get(`${path}?${query}`);
    expect([status, body.errors?.[0].field]).toEqual([400, field]);
  });

  it('should be accessible to the owner only', async () => {
    expect((await app.anonymous.get(path)).status).toBe(401);
    const foreign = await stranger.api.get(path);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
    expect((await user.api.get('/api/attachments/none/archived')).status).toBe(400);
  });

  it('should list what can be downloaded, whole and in ranges, unless it is encrypted', async () => {
    const { body } = await user.api.get(path);
    const { id, archived_mail_id: mailId } = body.attachments[0];
    const download = `/api/archive/${box.accountId}/attachments/${id as string}/download`;
    const whole = await user.api.get(download);
    expect([whole.status, whole.bytes]).toEqual([200, Buffer.alloc(90_000, 'photo.jpg')]);
    const part = await user.api.fetch('GET', download, { headers: { range: 'bytes=9-17' } });
    expect([part.status, await part.text()]).toEqual([206, 'photo.jpg']);
    await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [mailId]);
    const encrypted = await user.api.get(download);
    await app.dataSource.query('UPDATE archived_mails SET is_encrypted = false WHERE id = $1', [mailId]);
    expect([encrypted.status, encrypted.body.code]).toEqual([409, 'mails-encrypted']);
  });

  describe('totals', () => {
    const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
      app.dataSource.query(sql, parameters);

    /** The listed totals, which a count of the rows has confirmed. */
    const totals = async (of: ArchiveFixture): Promise<number[]> => {
      const { body } = await user.api.get(`/api/attachments/${of.accountId}/archived?limit=1`);
      const [counted] = await query(
        `SELECT count(*)::int AS total, coalesce(sum(size_bytes), 0)::int AS bytes
           FROM archived_attachments WHERE account_id = $1 AND NOT is_inline`,
        [of.accountId],
      );
      expect([body.total, body.totalSizeBytes]).toEqual([counted.total, counted.bytes]);
      return [body.total, body.totalSizeBytes];
    };

    const withFile = (subject: string, bytes: number): Buffer =>
      emlWithAttachment({ subject, disposition: 'filename="f.bin"', content: Buffer.alloc(bytes) });

    it('should track mails that are added, replaced and deleted', async () => {
      const counted = await ArchiveFixture.connect(app, user, 'counted-0@sandbox.mailroom.test');
      const other = await ArchiveFixture.connect(app, user, 'uncounted-0@sandbox.mailroom.test');
      expect(await totals(counted)).toEqual([0, 0]);
      await other.insertAndArchive(withFile('other', 7));
      const ids = await counted.insertAndArchive(withFile('a', 100), withFile('b', 20), inlineImage());
      expect(await totals(counted)).toEqual([2, 120]);

      const rows = await counted.rows();
      const [messageId] = [...rows].find(([, { id }]) => id === ids[0])!;
      await query(`UPDATE archived_mails SET sha256 = repeat('0', 64) WHERE id = $1`, [ids[0]]);
      await counted.archive({ messageIds: [messageId], differential: false });
      expect((await counted.rows()).get(messageId).id).not.toBe(ids[0]);
      expect(await totals(counted)).toEqual([2, 120]);

      await query('UPDATE archived_attachments SET size_bytes = 30 WHERE mail_id = $1', [ids[1]]);
      expect(await totals(counted)).toEqual([2, 130]);
      await query('UPDATE archived_attachments SET is_inline = NOT is_inline WHERE account_id = $1', [
        counted.accountId,
      ]);
      expect((await totals(counted))[0]).toBe(1);
      await query('UPDATE archived_attachments SET is_inline = NOT is_inline WHERE account_id = $1', [
        counted.accountId,
      ]);
      await query('DELETE FROM archived_mails WHERE id = $1', [ids[1]]);
      expect(await totals(counted)).toEqual([1, 100]);
      await query('DELETE FROM archived_attachments WHERE account_id = $1', [counted.accountId]);
      expect([await totals(counted), await totals(other)]).toEqual([
        [0, 0],
        [1, 7],
      ]);
    });

    it('should be deleted with the account, without affecting others', async () => {
      const going = await ArchiveFixture.connect(app, user, 'going-0@sandbox.mailroom.test');
      await going.insertAndArchive(withFile('a', 100), withFile('b', 20));
      const before = await totals(box);
      await query('DELETE FROM mailbox_accounts WHERE id = $1', [going.accountId]);
      expect(await query('SELECT 1 FROM archive_totals WHERE account_id = $1', [going.accountId])).toEqual(
        [],
      );
      expect(await totals(box)).toEqual(before);
    });

    it('should include mail archived before totals existed', async () => {
      const before = await totals(box);
      const runner = app.dataSource.createQueryRunner();
      const migration = new ArchiveFoundations1763700000004();
      await runner.startTransaction();
      try {
        // It replaced a table of the older one.
        await new FileDeletions1763700000012().down(runner);
        await migration.down(runner);
        await migration.up(runner);
        const [kept] = await runner.query(
          'SELECT attachments, attachment_bytes::int FROM archive_totals WHERE account_id = $1',
          [box.accountId],
        );
        expect([kept.attachments, kept.attachment_bytes]).toEqual(before);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    });
  });

  it('should list attachments archived from a disconnected account', async () => {
    const left = await ArchiveFixture.connect(app, user, 'left-0@sandbox.mailroom.test');
    await left.insertAndArchive(
      emlWithAttachment({ disposition: 'filename="kept.pdf"', content: Buffer.alloc(10) }),
    );
    expect((await user.api.delete(`/api/auth/mailbox/${left.accountId}`)).status).toBe(204);
    const { status, body } = await user.api.get(`/api/attachments/${left.accountId}/archived`);
    expect([status, body.total]).toEqual([200, 1]);
  });
});
