import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

/** The Date header of a message. */
const headerDate = (raw: Buffer): Date => new Date(/^Date: (.*?)\r$/m.exec(raw.toString('latin1'))![1]!);

describe('Archive', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let foreign: ArchiveFixture;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    stranger = await app.user('stranger');
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    foreign = await ArchiveFixture.connect(app, stranger, 'foreign-0@sandbox.mailroom.test');
  });

  afterAll(() => app?.close());

  beforeEach(() => app.sandbox.clearFaults());

  const connect = (messages: number): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `archive${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** Everything that must hold of an archive at rest: a file for each row and nothing else, exact counters. */
  async function expectConsistent(sut: ArchiveFixture): Promise<void> {
    const rows = [...(await sut.rows()).values()];
    expect(await sut.files()).toEqual(rows.map((row) => row.storage_key as string).sort());
    const { kept, counted } = await sut.totals();
    if (rows.length > 0) expect(kept).toEqual(counted);
  }

  describe('POST archive', () => {
    it('should archive the named messages, byte for byte, each once', async () => {
      const sut = await connect(60);
      const ids = sut.mailbox.ids();
      const job = await sut.archive({ messageIds: [...ids, ...ids.slice(0, 10)] });

      expect(job).toMatchObject({ status: 'completed', processed: 60, total: 60, failed: 0, progress: 100 });
      expect(job.result).toMatchObject({ archived: 60, skipped: 0, failed: 0 });
      const rows = await sut.rows();
      for (const id of ids) {
        const row = rows.get(id);
        const stored = await readFile(join(app.archiveDir, row.storage_key));
        expect(stored.equals(sut.mailbox.raw(id))).toBe(true);
        expect(row).toMatchObject({
          sha256: sha256(stored),
          size_bytes: String(stored.length),
          thread_id: sut.mailbox.threadId(id),
          date: headerDate(stored),
          received_at: sut.mailbox.internalDate(id),
          date_source: 'header',
          label_ids: expect.arrayContaining(sut.mailbox.labels(id)),
          user_id: user.id,
          storage: 'local',
          is_encrypted: false,
        });
        const date = sut.mailbox.internalDate(id).toISOString();
        expect(row.storage_key).toBe(
          `${user.id}/${sut.accountId}/${date.slice(0, 4)}/${date.slice(5, 7)}/${row.id}.eml`,
        );
        expect(row.id[14]).toBe('7');
      }
      await expectConsistent(sut);
    });

    it('should archive the matches of a query', async () => {
      const sut = await connect(40);
      const wanted = sut.mailbox.ids().filter((id) => sut.mailbox.labels(id).includes('INBOX'));
      const job = await sut.archive({ query: 'in:inbox' });
      expect(job).toMatchObject({ status: 'completed', processed: wanted.length, total: wanted.length });
      expect([...(await sut.rows()).keys()].sort()).toEqual([...wanted].sort());
      expect(wanted.length).toBeGreaterThan(0);
    });

    it('should skip archived messages without fetching them', async () => {
      const sut = await connect(20);
      const ids = sut.mailbox.ids();
      await sut.archive({ messageIds: ids.slice(0, 12) });
      const before = await sut.rows();
      app.sandbox.stats.reset();
      const job = await sut.archive({ messageIds: ids, differential: true });
      expect(job).toMatchObject({ status: 'completed', total: 8, processed: 8, failed: 0 });
      expect(job.result).toMatchObject({ archived: 8, skipped: 12 });
      expect(app.sandbox.stats.calls['messages.get']).toBe(8);
      const after = await sut.rows();
      for (const id of ids.slice(0, 12)) expect(after.get(id)).toEqual(before.get(id));
      await expectConsistent(sut);
    });

    it('should fetch again and replace changed mail when not differential', async () => {
      const sut = await connect(6);
      const ids = sut.mailbox.ids();
      await sut.archive({ messageIds: ids });
      const before = await sut.rows();
      const fileOf = (id: string): string => join(app.archiveDir, before.get(id).storage_key as string);
      await writeFile(fileOf(ids[0]!), 'damaged');
      await rm(fileOf(ids[1]!));
      sut.mailbox.changeLabels([ids[2]!], { add: ['STARRED'], remove: [] });

      const job = await sut.archive({ messageIds: ids, differential: false });

      expect(job).toMatchObject({ status: 'completed', processed: 6, total: 6 });
      expect(job.result).toMatchObject({ archived: 6, skipped: 0 });
      const after = await sut.rows();
      expect(after.size).toBe(6);
      for (const id of ids) {
        const stored = await readFile(join(app.archiveDir, after.get(id).storage_key));
        expect(stored.equals(sut.mailbox.raw(id))).toBe(true);
        expect(after.get(id).archived_at.getTime()).toBeGreaterThan(before.get(id).archived_at.getTime());
      }
      for (const id of ids.slice(2)) expect(after.get(id).id).toBe(before.get(id).id);
      await expectConsistent(sut);
    });

    it('should never overwrite an encrypted mail', async () => {
      const sut = await connect(3);
      const ids = sut.mailbox.ids();
      await sut.archive({ messageIds: ids });
      const row = (await sut.rows()).get(ids[0]!);
      await writeFile(join(app.archiveDir, row.storage_key), 'MBENC01 ciphertext');
      await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [row.id]);
      const job = await sut.archive({ messageIds: ids, differential: false });
      expect(job.result).toMatchObject({ archived: 2, skipped: 1 });
      expect(await readFile(join(app.archiveDir, row.storage_key), 'utf8')).toBe('MBENC01 ciphertext');
      await expectConsistent(sut);
    });

    it('should report missing messages and archive all others', async () => {
      const sut = await connect(10);
      const ids = sut.mailbox.ids();
      app.sandbox.fault({
        endpoint: 'messages.get',
        messageId: ids[4],
        times: 'always',
        answer: {
          kind: 'error',
          status: 404,
          reason: 'notFound',
          message: 'Requested entity was not found.',
        },
      });
      const job = await sut.archive({ messageIds: [...ids, 'ffffffffffffffff'] });
      expect(job).toMatchObject({ status: 'completed', total: 11, processed: 9, failed: 2 });
      const reasons = job.result.failures as { item: string; reason: string }[];
      expect(reasons.map(({ item }) => item).sort()).toEqual([ids[4], 'ffffffffffffffff'].sort());
      expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set(['message-not-found']));
      await expectConsistent(sut);
    });

    it('should lose nothing to errors, truncated responses and slow responses of the provider', async () => {
      const sut = await connect(80);
      const ids = sut.mailbox.ids();
      for (const kind of [
        'backendError',
        'cut',
        'rateLimit429',
        'unavailable',
        'userRateLimitExceeded',
      ] as const) {
        app.sandbox.fault({ endpoint: 'messages.get', skip: 5, times: 3, answer: { kind } });
      }
      const job = await sut.archive({ messageIds: ids }, 120_000);
      expect(job).toMatchObject({ status: 'completed', processed: 80, total: 80, failed: 0 });
      const rows = await sut.rows();
      for (const id of ids) expect(rows.get(id).sha256).toBe(sha256(sut.mailbox.raw(id)));
      await expectConsistent(sut);
    }, 130_000);

    it('should stop between batches when cancelled, keep what is done, and finish when asked again', async () => {
      const sut = await connect(300);
      const ids = sut.mailbox.ids();
      app.sandbox.fault({
        endpoint: 'messages.get',
        times: 'always',
        answer: { kind: 'slow', delayMs: 120 },
      });
      const { body } = await user.api.post(`${sut.path}/archive`, { messageIds: ids });
      await waitFor('the first batch', async () => (await sut.rows()).size > 0);
      expect((await user.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
      const job = await user.jobEnd(body.jobId);
      app.sandbox.clearFaults();
      expect(job.status).toBe('cancelled');
      const done = (await sut.rows()).size;
      expect(done).toBeLessThan(300);
      expect(job.processed).toBe(done);
      expect(job.result).toMatchObject({ archived: done, skipped: 0, failed: 0, failures: [] });
      await expectConsistent(sut);
      const again = await sut.archive({ messageIds: ids });
      expect(again.result).toMatchObject({ archived: 300 - done, skipped: done });
      await expectConsistent(sut);
    });

    it.each([
      [{}, 'messageIds'],
      [{ messageIds: ['a'], query: 'b' }, 'messageIds'],
      [{ messageIds: [] }, 'messageIds'],
      [{ messageIds: 'a' }, 'messageIds'],
      [{ messageIds: [''] }, 'messageIds'],
      [{ messageIds: [1] }, 'messageIds'],
      [{ messageIds: Array.from({ length: 50_001 }, (_, n) => `m${n}`) }, 'messageIds'],
      [{ query: '   ' }, 'query'],
      [{ query: 'x'.repeat(2_001) }, 'query'],
      [{ query: 'in:inbox', differential: 'yes' }, 'differential'],
    ])('should refuse %#', async (request, field) => {
      const sut = foreign;
      const { status, body } = await stranger.api.post(`${sut.path}/archive`, request);
      expect(status).toBe(400);
      expect(body.errors[0].field).toBe(field);
    });

    it('should refuse a disconnected mailbox, whose archive stays readable', async () => {
      const sut = await connect(2);
      await sut.archive({ query: 'in:anywhere' });
      await user.api.patch(`/api/auth/mailbox/${sut.accountId}/toggle`);
      const refused = await user.api.post(`${sut.path}/archive`, { query: 'in:anywhere' });
      expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-disconnected']);
      expect((await user.api.get(`${sut.path}/mails`)).body.total).toBe(2);
    });
  });

  describe('reading', () => {
    let sut: ArchiveFixture;
    let mailId: string;
    let attachmentId: string;
    const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));
    const raw = emlWithAttachment({
      subject: 'Rapport annuel',
      text: 'Voilà le résumé.',
      disposition: "filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%82%AC.pdf",
      mimeType: 'application/pdf',
      content,
    });

    beforeAll(async () => {
      sut = await connect(0);
      [mailId] = (await sut.insertAndArchive(raw)) as [string];
      attachmentId = (await user.api.get(`${sut.path}/mails/${mailId}`)).body.attachments[0].id as string;
    });

    it('should return a mail with its text and attachments', async () => {
      const { status, body } = await user.api.get(`${sut.path}/mails/${mailId}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: mailId,
        mailbox_message_id: expect.any(String),
        thread_id: expect.any(String),
        subject: 'Rapport annuel',
        sender: 'Alice Example <alice@example.com>',
        recipient: 'Bob Example <bob@example.com>',
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        archived_at: expect.stringMatching(/Z$/),
        size_bytes: raw.length,
        has_attachments: true,
        label_ids: ['INBOX'],
        snippet: expect.stringContaining('Voilà'),
        in_reply_to: null,
        references_header: null,
        is_encrypted: false,
        presence: null,
        only_in_archive: false,
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        date_source: 'arrival',
        rebuilt_from: null,
        envelope: null,
        sha256: sha256(raw),
        defects: [],
        emlContent: raw.toString('utf8'),
        attachments: [
          {
            id: attachmentId,
            filename: 'résumé €.pdf',
            mime_type: 'application/pdf',
            size_bytes: 5_000,
            file_path: expect.stringMatching(/^[\w-]+\/[\w-]+\/\d{4}\/\d\d\/[\w-]+\.eml#2\/résumé €\.pdf$/),
          },
        ],
      });
    });

    it('should download the exact bytes of the mail, whole and in ranges', async () => {
      const whole = await user.api.get(`${sut.path}/mails/${mailId}/eml`);
      expect(whole.status).toBe(200);
      expect(whole.bytes.equals(raw)).toBe(true);
      expect(whole.headers.get('content-type')).toBe('message/rfc822');
      expect(whole.headers.get('content-length')).toBe(String(raw.length));
      expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
      expect(whole.headers.get('content-security-policy')).toContain('sandbox');
      expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.eml"$/);
      const part = await user.api.get(`${sut.path}/mails/${mailId}/eml`, {
        headers: { range: 'bytes=10-19' },
      });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 10-19/${raw.length}`);
      expect(part.bytes.equals(raw.subarray(10, 20))).toBe(true);
    });

    it('should download an attachment decoded, whole and in ranges', async () => {
      const path = `${sut.path}/attachments/${attachmentId}/download`;
      const whole = await user.api.get(path);
      expect(whole.bytes.equals(content)).toBe(true);
      expect(whole.headers.get('content-type')).toBe('application/pdf');
      expect(whole.headers.get('content-disposition')).toContain(
        "filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%82%AC.pdf",
      );
      expect(whole.headers.get('accept-ranges')).toBe('bytes');
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 1],
        ['bytes=1000-2999', 1000, 3000],
        ['bytes=4990-', 4990, 5000],
        ['bytes=-7', 4993, 5000],
        ['bytes=4000-999999', 4000, 5000],
      ] as const) {
        const part = await user.api.get(path, { headers: { range } });
        expect(part.status).toBe(206);
        expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/5000`);
        expect(part.bytes.equals(content.subarray(start, end))).toBe(true);
      }
      const beyond = await user.api.get(path, { headers: { range: 'bytes=5000-' } });
      expect([beyond.status, beyond.body.code]).toEqual([416, 'range-not-satisfiable']);
      expect(beyond.headers.get('content-range')).toBe('bytes */5000');
      const several = await user.api.get(path, { headers: { range: 'bytes=0-1,100-101' } });
      expect([several.status, several.bytes.length]).toEqual([200, 5_000]);
      const etag = whole.headers.get('etag')!;
      expect((await user.api.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      const stale = await user.api.get(path, { headers: { range: 'bytes=0-1', 'if-range': '"old"' } });
      expect(stale.status).toBe(200);
      const head = await user.api.fetch('HEAD', path);
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000']);
    });

    it('should keep no second copy of an attachment', async () => {
      expect(await sut.files()).toHaveLength(1);
    });

    it('should report that the file of a mail is missing', async () => {
      const [lost] = (await sut.insertAndArchive(eml('Subject: lost', '', 'x'))) as [string];
      const [row] = await app.dataSource.query('SELECT storage_key FROM archived_mails WHERE id = $1', [
        lost,
      ]);
      await rm(join(app.archiveDir, row.storage_key));
      for (const path of [`${sut.path}/mails/${lost}`, `${sut.path}/mails/${lost}/eml`]) {
        const { status, body } = await user.api.get(path);
        expect([status, body.code]).toEqual([404, 'archived-file-missing']);
        expect(JSON.stringify(body)).not.toContain(app.archiveDir);
      }
    });

    it('should withhold encrypted content', async () => {
      const [secret] = (await sut.insertAndArchive(
        emlWithAttachment({ disposition: 'filename="a.bin"', content: Buffer.from('x'), subject: 'Secret' }),
      )) as [string];
      const { body } = await user.api.get(`${sut.path}/mails/${secret}`);
      await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [secret]);
      const read = await user.api.get(`${sut.path}/mails/${secret}`);
      expect(read.body).toMatchObject({ is_encrypted: true, emlContent: null });
      for (const path of [
        `${sut.path}/mails/${secret}/eml`,
        `${sut.path}/attachments/${body.attachments[0].id}/download`,
      ]) {
        const answer = await user.api.get(path);
        expect([answer.status, answer.body.code]).toEqual([409, 'mails-encrypted']);
      }
    });

    it('should answer 404 for unknown mails and those of another account', async () => {
      const other = await connect(0);
      for (const path of [
        `/mails/${UNKNOWN}`,
        `/mails/${UNKNOWN}/eml`,
        `/attachments/${UNKNOWN}/download`,
        `/threads/nothing`,
      ]) {
        expect((await user.api.get(`${sut.path}${path}`)).status).toBe(404);
      }
      for (const path of [
        `/mails/${mailId}`,
        `/mails/${mailId}/eml`,
        `/attachments/${attachmentId}/download`,
      ]) {
        expect((await user.api.get(`${other.path}${path}`)).status).toBe(404);
      }
      expect((await user.api.get(`${sut.path}/mails/not-a-uuid`)).status).toBe(400);
    });
  });

  describe('access', () => {
    it.each([
      ['GET', '/mails'],
      ['GET', `/mails/${UNKNOWN}`],
      ['GET', `/mails/${UNKNOWN}/eml`],
      ['GET', `/attachments/${UNKNOWN}/download`],
      ['GET', '/threads'],
      ['GET', '/threads/x'],
      ['POST', '/archive'],
      ['POST', '/export-zip'],
    ])('%s %s should be accessible to the owner only', async (method, path) => {
      const body = method === 'POST' ? {} : undefined;
      expect((await app.anonymous.fetch(method, `${foreign.path}${path}`, { body })).status).toBe(401);
      const answer = await user.api.fetch(method, `${foreign.path}${path}`, { body });
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as { code: string }).code).toBe('account-not-owned');
      expect((await user.api.fetch(method, `/api/archive/${UNKNOWN}${path}`, { body })).status).toBe(403);
      expect((await user.api.fetch(method, `/api/archive/nonsense${path}`, { body })).status).toBe(400);
    });
  });

  describe('purging', () => {
    it('should remove rows and files of the account and of no other', async () => {
      const kept = await connect(3);
      await kept.archive({ query: 'in:anywhere' });
      const sut = await connect(12);
      await sut.archive({ query: 'in:anywhere' });
      await writeFile(join(app.archiveDir, user.id, sut.accountId, 'stray.eml'), 'left behind');
      expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}?purge=true`)).status).toBe(204);
      await waitFor('the account to be gone', async () => {
        const left = await app.dataSource.query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [
          sut.accountId,
        ]);
        return left.length === 0;
      });
      await waitFor('stray files to be gone', async () => (await sut.files()).length === 0);
      for (const table of ['archived_mails', 'archived_mail_words', 'archived_threads', 'archive_totals']) {
        const rows = await app.dataSource.query(`SELECT 1 FROM ${table} WHERE account_id = $1`, [
          sut.accountId,
        ]);
        expect(rows).toEqual([]);
      }
      await expectConsistent(kept);
      expect(await kept.files()).toHaveLength(3);
    });
  });
});
