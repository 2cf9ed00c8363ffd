import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ImportUploadsService } from '../../../../src/archive/imports/import-uploads.service';
import type { TestApp } from '../../../support/app';
import { type ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { ImportWorld } from '../../../support/import-world';
import { importMbox, inMbox, sendForm, upload, abandonedUpload } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const LIMIT = 8 * 1024 * 1024;
const SHARED_EML = join(__dirname, '../../../../../shared/data/eml');
const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const mail = (subject: string, ...more: string[]): string =>
  [
    'From: Alice Example <alice@example.com>',
    'To: bob@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replace(/\W+/g, '-')}@example.com>`,
    'Date: Tue, 19 Mar 2019 09:13:51 +0000',
    ...more,
    '',
    `Body of ${subject}`,
    '',
  ].join('\n');

describe('mbox import', () => {
  let app: TestApp;
  let user: TestUser;
  let world: ImportWorld;

  beforeAll(async () => {
    world = await ImportWorld.start('mbox', LIMIT);
    ({ app, user } = world);
  });

  afterAll(() => app?.close());

  const account = (): Promise<ArchiveFixture> => world.connect();
  const uploads = (): string[] => {
    const directory = join(app.env['DATA_DIR']!, 'uploads');
    return existsSync(directory) ? readdirSync(directory) : [];
  };

  /** Subject → stored bytes. */
  const stored = async (fixture: ArchiveFixture): Promise<Map<string, Buffer>> => {
    const all = new Map<string, Buffer>();
    for (const row of (await fixture.rows()).values()) {
      const bytes = readFileSync(join(app.archiveDir, row.storage_key as string));
      expect(sha256(bytes)).toBe(row.sha256);
      all.set(row.subject as string, bytes);
    }
    return all;
  };

  describe('a file', () => {
    it('should be imported with exact bytes, dates, ids and threads, and then be deleted', async () => {
      const sut = await account();
      const [first, second] = [mail('first'), mail('second', 'In-Reply-To: <first@example.com>')];
      const anonymous = 'Subject: anonymous\n\n>From quoted\nbody\n';
      const file = inMbox(first) + inMbox(second) + inMbox(anonymous, 'From a@b Fri Jul  8 12:08:34 2011');
      const job = await importMbox(user, sut.accountId, file);
      const messages = [first, second, anonymous.replace('>From', 'From')].map(crlf);
      expect(job).toMatchObject({
        type: 'import_mbox',
        status: 'completed',
        total: 3,
        processed: 3,
        failed: 0,
        progress: 100,
        result: {
          imported: 3,
          duplicates: 0,
          failed: 0,
          bytes: messages.join('').length,
          bytesRead: file.length,
          failures: [],
        },
        payload: { filename: 'mail.mbox', sizeBytes: file.length },
      });
      expect([...(await stored(sut)).values()].map(String).sort()).toEqual([...messages].sort());
      const rows = await sut.rows();
      const anonymousId = `sha256:${createHash('sha256').update(messages[2]!).digest('hex')}`;
      expect([...rows.keys()].sort()).toEqual(
        ['<first@example.com>', '<second@example.com>', anonymousId].sort(),
      );
      expect(rows.get('<first@example.com>').thread_id).toBe(rows.get('<second@example.com>').thread_id);
      expect(rows.get('<first@example.com>').date).toEqual(new Date('2019-03-19T09:13:51Z'));
      expect(rows.get(anonymousId).date).toEqual(new Date('2011-07-08T12:08:34Z'));
      expect(uploads()).toEqual([]);
      expect(await app.dataSource.query('SELECT id FROM import_uploads')).toEqual([]);
      const found = await user.api.get(`${sut.path}/mails?q=body%20second`);
      expect(found.body).toMatchObject({ total: 1, mails: [{ subject: 'second' }] });
      const { kept, counted } = await sut.totals();
      expect(kept).toEqual(counted);
    });

    it.each<[string, (text: string) => Buffer]>([
      ['CRLF', (text) => Buffer.from(crlf(text))],
      ['gzip', (text) => gzipSync(text)],
      [
        'gzip in two members',
        (text) => Buffer.concat([gzipSync(text.slice(0, 333)), gzipSync(text.slice(333))]),
      ],
      ['BOM', (text) => Buffer.from(`\ufeff\n${text}`)],
      [
        'no line end after the last line',
        (text) => Buffer.from(`${text}${inMbox('Subject: last\n\nend').trimEnd()}`),
      ],
    ])('should be read as %s', async (_name, encode) => {
      const sut = await account();
      const messages = [mail('one'), mail('two'), mail('three')];
      const job = await importMbox(
        user,
        sut.accountId,
        encode(messages.map((text) => inMbox(text)).join('')),
      );
      expect(job).toMatchObject({ status: 'completed', failed: 0 });
      const bytes = [...(await stored(sut)).entries()].filter(([subject]) => subject !== 'last');
      expect(bytes.map(([, raw]) => raw.toString()).sort()).toEqual(messages.map(crlf).sort());
    });

    it('should have its labels and threads read when it comes from Takeout', async () => {
      const sut = await account();
      const from = 'From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019';
      const labels =
        'X-Gmail-Labels: =?UTF-8?Q?Bo=C3=AEte_de_r=C3=A9ception,Non_lus,"Amis,_proches",H=C3?=\n =?UTF-8?Q?=A9l=C3=A8ne?=';
      const takeout = `X-GM-THRID: 1628424719502045299\n${labels}\n${mail('takeout')}`;
      const job = await importMbox(user, sut.accountId, crlf(inMbox(takeout, from)));
      expect(job).toMatchObject({ status: 'completed', processed: 1 });
      expect((await sut.rows()).get('<takeout@example.com>')).toMatchObject({
        thread_id: '169953a795627073',
        label_ids: ['INBOX', 'UNREAD', 'Amis, proches', 'Hélène'],
      });
      expect((await stored(sut)).get('takeout')!.toString()).toBe(crlf(takeout));
    });

    it('should be imported once however often it is uploaded', async () => {
      const sut = await account();
      const file =
        inMbox(mail('a')) + inMbox(mail('b')) + inMbox(mail('a')) + inMbox('Subject: c\n\nx\n').repeat(2);
      expect(await importMbox(user, sut.accountId, file)).toMatchObject({
        total: 5,
        processed: 5,
        result: { imported: 3, duplicates: 2, failed: 0 },
      });
      expect(await importMbox(user, sut.accountId, file)).toMatchObject({
        total: 5,
        processed: 5,
        progress: 100,
        result: { imported: 0, duplicates: 5, failed: 0, bytes: 0 },
      });
      expect((await sut.rows()).size).toBe(3);
    });

    it('should lose no message to another with the same Message-ID, and duplicate none', async () => {
      const sut = await account();
      const list = mail('a', 'Received: from list', 'List-Id: <l>');
      const other = mail('a').replace('Body of', 'Another body of');
      const third = mail('a').replace('To: bob', 'To: carol');
      const hex = mail('hex').replace(/^Message-ID: .*$/m, 'Message-ID: 18c1f0a2b3c4d5e6');
      const file = [mail('a'), list, other, third, hex].map((message) => inMbox(message)).join('');
      const names = [
        '<a@example.com>',
        '<a@example.com>#2',
        '<a@example.com>#3',
        'message-id:18c1f0a2b3c4d5e6',
      ];
      expect((await importMbox(user, sut.accountId, file)).result).toMatchObject({
        imported: 4,
        duplicates: 1,
        sameIdDifferent: 2,
      });
      const before = await sut.rows();
      expect([...before.keys()].sort()).toEqual(names);
      // The conversation is the id's.
      expect(new Set(names.slice(0, 3).map((name) => before.get(name).thread_id)).size).toBe(1);
      for (const text of [file, inMbox(list) + inMbox(third)]) {
        expect((await importMbox(user, sut.accountId, text)).result).toMatchObject({
          imported: 0,
          sameIdDifferent: 0,
        });
      }
      expect(await sut.rows()).toEqual(before);
      const { kept, counted } = await sut.totals();
      expect(kept).toEqual(counted);
    });

    it('should recognise mail archived from the provider, however it was written, and keep what differs', async () => {
      const sut = await account();
      await sut.insertAndArchive(Buffer.from(crlf(mail('both'))));
      const [archived] = [...(await sut.rows()).keys()];
      const exported = `X-GM-THRID: 1\nX-Gmail-Labels: Inbox\n${mail('both')}`;
      const draft = mail('both').replace('Body of', 'Draft of');
      expect((await importMbox(user, sut.accountId, inMbox(exported) + inMbox(draft))).result).toMatchObject({
        imported: 1,
        duplicates: 1,
        sameIdDifferent: 1,
      });
      expect([...(await sut.rows()).keys()].sort()).toEqual([archived, '<both@example.com>#2'].sort());
    });

    it('should not lose the rest to damaged messages, and name them', async () => {
      const sut = await account();
      const file = inMbox(mail('a')) + inMbox('') + inMbox(mail('b'));
      expect(await importMbox(user, sut.accountId, file)).toMatchObject({
        status: 'completed',
        total: 3,
        processed: 2,
        failed: 1,
        result: {
          imported: 2,
          failed: 1,
          failures: [
            {
              item: `message at byte ${inMbox(mail('a')).length}`,
              code: 'message-empty',
              reason: 'it is empty',
            },
          ],
        },
      });
    });

    it('should keep states and keywords of its mail program, and leave out what was deleted there', async () => {
      const sut = await account();
      const states = [
        'X-Mozilla-Status: 0005\nX-Mozilla-Keys: $label1 projectx\n',
        'X-Mozilla-Status: 0009\n',
        'X-Mozilla-Status: 0000\n',
      ];
      const mails = states.map((state, number) =>
        inMbox(`${state}${mail(`state ${number}`, 'text')}`, 'From -'),
      );
      const folderData = inMbox(
        `X-IMAP: 1583229600 0000000002\n${mail("DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA", '(internal)')}`,
        'From MAILER-DAEMON',
      );
      const job = await importMbox(user, sut.accountId, [folderData, ...mails].join(''));
      expect(job).toMatchObject({
        status: 'completed',
        total: 4,
        processed: 4,
        result: { imported: 2, duplicates: 0, failed: 0, deleted: 1, folderData: 1 },
      });
      const rows = [...(await sut.rows()).values()] as { subject: string; label_ids: string[] }[];
      expect(Object.fromEntries(rows.map((row) => [row.subject, row.label_ids]))).toEqual({
        'state 0': ['STARRED', 'Important', 'projectx'],
        'state 2': ['UNREAD'],
      });
    });

    it('should be imported completely whatever its dates and lengths say, and report how it was split', async () => {
      const sut = await account();
      const messages = ['one', 'two', 'three', 'four'].map((subject, number) =>
        mail(subject, `Content-Length: ${[9, 14, 100_000, 0][number]}`, '', 'From me to you'),
      );
      const froms = ['From - ', 'From - Thu Feb  8 18:49:08 1996', 'From -', 'From bob@example.com'];
      const file = messages.map((message, number) => inMbox(message, froms[number])).join('');
      const job = await importMbox(user, sut.accountId, file);
      expect(job).toMatchObject({
        status: 'completed',
        result: { imported: 4, duplicates: 0, failed: 0, separators: 4, fromLinesInText: 4 },
      });
      expect([...(await stored(sut)).values()].map(String).sort()).toEqual(messages.map(crlf).sort());
    });

    it('should be imported up to the point where its compression is damaged', async () => {
      const sut = await account();
      const whole = gzipSync(inMbox(mail('a')) + inMbox(mail('b')));
      const job = await importMbox(
        user,
        sut.accountId,
        Buffer.concat([whole, gzipSync(inMbox(mail('c'))).subarray(0, 60)]),
      );
      expect(job).toMatchObject({
        status: 'completed',
        processed: 1,
        result: {
          failures: [
            {
              // It is not known whether the message was complete.
              item: `message at byte ${inMbox(mail('a')).length}`,
              code: 'compressed-file-cut-off',
              reason: 'the compressed file ends too early',
            },
          ],
        },
      });
    });

    it.each([
      ['prose', 'Dear Sir,\n\nFrom here on it is downhill.\n', 'not-an-mbox-file'],
      ['a broken gzip file', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5]), 'not-an-mbox-file'],
    ])('should fail its job when it is %s', async (_name, file, code) => {
      const sut = await account();
      const job = await importMbox(user, sut.accountId, file);
      expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/mbox/), error_code: code });
      await app.app.get(ImportUploadsService).deleteFinished();
      expect(uploads()).toEqual([]);
      const { body } = await user.api.get('/api/notifications');
      expect(JSON.stringify(body)).toContain('job_failed');
    });

    it('should survive a round trip through the export', async () => {
      const [source, target] = [await account(), await account()];
      const bodies = [
        'plain\r\n',
        'From the start\r\n>From quoted\r\n>>From twice\r\n\r\nFrom alice Thu Nov 24 18:22:48 1986\r\nSubject: no\r\n',
        'blank lines\r\n\r\n\r\n',
        '\xe4\xf6 latin1 \x00\r\n',
      ];
      const messages = bodies.map((body, number) =>
        Buffer.from(`${crlf(mail(`round ${number}`)).split('\r\n\r\n')[0]}\r\n\r\n${body}`, 'latin1'),
      );
      await source.insertAndArchive(...messages);
      const exported = await user.api.post(`/api/import/${source.accountId}/export-mbox`, {});
      const job = await importMbox(user, target.accountId, exported.bytes);
      expect(job).toMatchObject({ status: 'completed', processed: messages.length, failed: 0 });
      const hashes = async (fixture: ArchiveFixture): Promise<string[]> =>
        [...(await fixture.rows()).values()].map(({ sha256: hash }) => hash as string).sort();
      expect(await hashes(target)).toEqual(messages.map(sha256).sort());
      expect(await hashes(target)).toEqual(await hashes(source));
    });

    it('should end with correct counts when the storage quota is used up, and be resumable', async () => {
      const sut = await account();
      const messages = [1, 2, 3, 4, 5].map((number) => mail(`quota ${number}`));
      const file = messages.map((message) => inMbox(message)).join('');
      const [{ used }] = await app.dataSource.query(
        'SELECT coalesce(sum(size_bytes), 0)::bigint AS used FROM archived_mails WHERE user_id = $1',
        [user.id],
      );
      const fitting = crlf(messages.slice(0, 3).join('')).length;
      const setQuota = (bytes: number | null): Promise<unknown> =>
        app.dataSource.query(
          `UPDATE users SET storage_quota_bytes = ${bytes === null ? 'DEFAULT' : bytes} WHERE id = $1`,
          [user.id],
        );
      await setQuota(Number(used) + fitting);
      const job = await importMbox(user, sut.accountId, file);
      await setQuota(null);
      expect(job).toMatchObject({
        status: 'failed',
        error_code: 'quota-exceeded',
        processed: 3,
        result: { imported: 3, duplicates: 0, failed: 0, bytes: fitting, failures: [] },
      });
      expect((await sut.rows()).size).toBe(3);
      await app.app.get(ImportUploadsService).deleteFinished();
      expect(uploads()).toHaveLength(1);
      expect((await user.api.post(`/api/jobs/${job.queue_id}/resume`)).status).toBe(202);
      expect(await user.jobEnd(job.queue_id as string)).toMatchObject({
        status: 'completed',
        processed: 5,
        result: { imported: 5, duplicates: 0, failed: 0 },
      });
      expect(uploads()).toEqual([]);
    });

    it('should be kept for a day after a failure, and then be deleted and no longer resumable', async () => {
      const sut = await account();
      // With no room at all the upload would be refused.
      await app.dataSource.query(
        `UPDATE users SET storage_quota_bytes = 1 + (SELECT coalesce(sum(size_bytes), 0) FROM archived_mails
          WHERE user_id = $1) WHERE id = $1`,
        [user.id],
      );
      const { queue_id: jobId } = await importMbox(user, sut.accountId, inMbox(mail('kept')));
      await app.dataSource.query('UPDATE users SET storage_quota_bytes = DEFAULT WHERE id = $1', [user.id]);
      const failedHoursAgo = async (hours: number): Promise<void> => {
        await app.dataSource.query(
          `UPDATE jobs SET completed_at = now() - make_interval(hours => $2::int) WHERE type || '-' || number = $1`,
          [jobId, hours],
        );
        await app.app.get(ImportUploadsService).deleteFinished();
      };
      await failedHoursAgo(23);
      expect(uploads()).toHaveLength(1);
      await failedHoursAgo(25);
      expect(uploads()).toEqual([]);
      const { status, body } = await user.api.post(`/api/jobs/${jobId}/resume`);
      expect([status, body.code]).toEqual([409, 'job-not-resumable']);
      // The refusal changed nothing.
      expect((await user.api.get(`/api/jobs/${jobId}`)).body).toMatchObject({ status: 'failed' });
    });

    it('should be imported into the archive of a disconnected account', async () => {
      const sut = await account();
      await user.api.delete(`/api/auth/mailbox/${sut.accountId}`);
      expect(await importMbox(user, sut.accountId, inMbox(mail('late')))).toMatchObject({ processed: 1 });
    });

    (existsSync(SHARED_EML) ? it : it.skip)(
      'should take a corpus of difficult messages as it is',
      async () => {
        const sut = await account();
        const names = readdirSync(SHARED_EML, { recursive: true, encoding: 'utf8' }).filter((name) =>
          name.endsWith('.eml'),
        );
        const messages = names.map((name) => readFileSync(join(SHARED_EML, name)).toString('latin1'));
        const quoted = messages.map((raw) => {
          const text = raw.replace(/\r\n/g, '\n');
          const body = text.indexOf('\n\n');
          const quotedBody = body === -1 ? '' : text.slice(body).replace(/\n(>*From )/g, '\n>$1');
          return inMbox(
            `${body === -1 ? text : text.slice(0, body)}${quotedBody}${text.endsWith('\n') ? '' : '\n'}`,
          );
        });
        const job = await importMbox(user, sut.accountId, Buffer.from(quoted.join(''), 'latin1'));
        expect(job).toMatchObject({ status: 'completed', total: messages.length, failed: 0 });
        const { imported, duplicates } = job.result;
        expect([imported + duplicates, imported]).toEqual([messages.length, (await sut.rows()).size]);
      },
    );
  });

  describe('an upload', () => {
    let sut: ArchiveFixture;
    const file = inMbox(mail('uploaded'));

    beforeAll(async () => {
      sut = await account();
    });

    afterEach(async () => {
      await waitFor('the upload directory to be empty', async () => {
        await app.app.get(ImportUploadsService).deleteFinished();
        return uploads().length === 0;
      });
    });

    it.each<[string, () => FormData]>([
      ['no file', () => new FormData()],
      ['another field', () => form(['attachment', file])],
      ['two files', () => form(['file', file], ['file', file])],
      ['an empty file', () => form(['file', ''])],
      [
        'text instead of a file',
        () => {
          const data = new FormData();
          data.append('file', file);
          return data;
        },
      ],
    ])('should be refused with %s', async (_name, make) => {
      const { status, body } = await sendForm(user, sut.accountId, make());
      expect([status, body.code, body.errors?.[0].field]).toEqual([400, 'validation-failed', 'file']);
      expect(uploads()).toEqual([]);
    });

    const form = (...parts: [string, string][]): FormData => {
      const data = new FormData();
      for (const [field, content] of parts) data.append(field, new Blob([content]), 'mail.mbox');
      return data;
    };

    it('should be refused with another media type, or truncated', async () => {
      const path = `/api/import/${sut.accountId}/mbox`;
      const json = await user.api.post(path, { file: 'x' });
      expect([json.status, json.body.code]).toEqual([415, 'unsupported-media-type']);
      const none = await user.api.post(path);
      expect(none.status).toBe(415);
      for (const [type, body] of [
        [
          'multipart/form-data; boundary=cut',
          '--cut\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nFrom',
        ],
        ['multipart/form-data', file],
      ] as const) {
        const answer = await user.api.post(path, body, { headers: { 'content-type': type } });
        expect([answer.status, answer.body.errors?.[0].field]).toEqual([400, 'file']);
      }
    });

    it('should be refused when it is too large, announced or not', async () => {
      const { status, body } = await upload(user, sut.accountId, Buffer.alloc(LIMIT + 1024 * 1024, 'x'));
      expect([status, body.code]).toEqual([413, 'upload-too-large']);
      const chunked = await fetch(new URL(`/api/import/${sut.accountId}/mbox`, user.api.baseUrl), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${user.api.token}`,
          'content-type': 'multipart/form-data; boundary=cut',
        },
        body: new ReadableStream({
          start(controller) {
            const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
            controller.enqueue(Buffer.from(head));
            controller.enqueue(Buffer.alloc(LIMIT + 1, 'x'));
            controller.enqueue(Buffer.from('\r\n--cut--\r\n'));
            controller.close();
          },
        }),
        duplex: 'half',
      });
      expect([chunked.status, await chunked.json()]).toEqual([
        413,
        expect.objectContaining({ code: 'upload-too-large' }),
      ]);
      expect(uploads()).toEqual([]);
    });

    it('should be accepted at exactly the limit', async () => {
      const { status, body } = await upload(user, sut.accountId, Buffer.alloc(LIMIT, 'x'));
      expect(status).toBe(202);
      expect(await user.jobEnd(body.jobId as string)).toMatchObject({ error_code: 'not-an-mbox-file' });
    });

    it('should leave nothing when the client disconnects', async () => {
      await abandonedUpload(user, sut.accountId, 2 * 1024 * 1024, () =>
        waitFor('the partial file', () => uploads().length === 1),
      );
      await waitFor('the partial file to go', async () => uploads().length === 0);
    });

    it('should not be read for a user who does not own the account', async () => {
      const stranger = await app.user();
      const { status, body } = await upload(stranger, sut.accountId, file);
      expect([status, body.code]).toEqual([403, 'account-not-owned']);
      expect(uploads()).toEqual([]);
    });

    it('should start one job for one Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'the same' };
      const first = await upload(user, sut.accountId, file, { headers });
      const again = await upload(user, sut.accountId, file, { headers });
      expect([first.status, again.status, again.body.jobId]).toEqual([202, 202, first.body.jobId]);
      const other = await upload(user, sut.accountId, `${file}\n`, { headers });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency-key-reused']);
      await user.jobEnd(first.body.jobId as string);
    });

    it('should be deleted only when no job claims it', async () => {
      await upload(user, sut.accountId, file).then(({ body }) => user.jobEnd(body.jobId as string));
      const directory = join(app.env['DATA_DIR']!, 'uploads');
      const old = join(directory, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d.part');
      const young = join(directory, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e');
      await writeFile(old, 'x');
      await writeFile(young, 'x');
      await utimes(old, new Date(0), new Date(0));
      await app.app.get(ImportUploadsService).deleteFinished();
      expect(uploads()).toEqual(['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e']);
      await utimes(young, new Date(0), new Date(0));
    });
  });
});
