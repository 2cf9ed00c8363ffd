import { createHash, randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { startTestApp, TestApp } from '../../../support/app';
import { TestImapServer } from '../../../support/imap/imap-server';
import { requestText } from '../../../../src/platform/jobs/idempotency';
import { ImportWriter } from '../../../../src/archive/imports/import-writer';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let messages = 0;
/** Makes a message with a unique number; `headers` are added to the usual ones. */
function mail(headers: string[] = [], body: string | Buffer = 'Hello\r\n'): Buffer {
  messages += 1;
  const head = [
    'From: Alice <alice@example.com>',
    'To: bob@example.com',
    `Subject: Message ${messages}`,
    `Message-ID: <${messages}@imap.test>`,
    'Date: Mon, 1 Jan 2024 10:00:00 +0000',
    ...headers,
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), Buffer.isBuffer(body) ? body : Buffer.from(body)]);
}
const mails = (count: number): Buffer[] => Array.from({ length: count }, () => mail());

jest.setTimeout(120_000);

describe('Import from IMAP', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    [sut, server] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestImapServer.start()]);
  });
  const newAccount = async (): Promise<void> => {
    user = await sut.user();
    accountId = await user.connect('imap-1@sandbox.mailroom.test');
  };
  afterAll(async () => {
    await Promise.all([sut.close(), server.stop()]);
  });

  const request = (changes: object = {}): Record<string, unknown> => ({
    host: server.host,
    port: server.port,
    secure: false,
    user: server.user,
    pass: server.pass,
    ...changes,
  });

  const post = (body: unknown): Promise<any> => user.api.post(`/api/import/${accountId}/imap`, body);

  async function start(changes: object = {}): Promise<string> {
    const { status, body, bytes } = await post(request(changes));
    if (status !== 202) throw new Error(`import answered ${status}: ${bytes.toString()}`);
    return body.jobId as string;
  }

  const run = async (changes: object = {}): Promise<any> => user.jobEnd(await start(changes), 100_000);

  const rows = (): Promise<any[]> =>
    sut.dataSource.query('SELECT * FROM archived_mails WHERE account_id = $1 ORDER BY archived_at, id', [
      accountId,
    ]);

  describe('imported mail', () => {
    beforeEach(newAccount);

    it('should import every byte unchanged', async () => {
      const originals = [
        mail(),
        mail(
          ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: 8bit'],
          Buffer.from('caf\xe9\r\n', 'latin1'),
        ),
        mail(
          ['Content-Transfer-Encoding: binary'],
          Buffer.from(Array.from({ length: 4_000 }, (_, n) => 1 + (n % 255))),
        ),
        mail([`X-Long: ${'x'.repeat(200_000)}`, ...Array.from({ length: 2_000 }, (_, n) => `X-Many: ${n}`)]),
        mail([], ''),
        mail([], 'From here on\r\n>From there on\r\n.\r\n..\r\n'),
        Buffer.from('No headers at all\r\n'),
      ].map(crlf);
      await server.append('bytes', originals);
      const job = await run({ folder: 'bytes' });
      const total = originals.reduce((sum, raw) => sum + raw.length, 0);
      expect(job).toMatchObject({
        status: 'completed',
        type: 'import_imap',
        total: originals.length,
        processed: originals.length,
        failed: 0,
        progress: 100,
        result: { imported: originals.length, duplicates: 0, failed: 0, bytes: total, failures: [] },
      });
      const stored = await rows();
      expect(stored.map((row) => row.sha256).sort()).toEqual(originals.map(sha256).sort());
      for (const { id, sha256: hash } of stored) {
        const eml = await user.api.get(`/api/archive/${accountId}/mails/${id}/eml`);
        expect(sha256(eml.bytes)).toBe(hash);
      }
      const again = await run({ folder: 'bytes' });
      expect(again.result).toMatchObject({ imported: 0, duplicates: originals.length, failed: 0, bytes: 0 });
    });

    it('should lose no message to another with the same Message-ID', async () => {
      const same = (text: string, ...fields: string[]): Buffer =>
        Buffer.from(
          [...fields, 'From: a@example.com', 'Message-ID: <same@example.com>', '', text, ''].join('\r\n'),
        );
      const all = [same('one'), same('two'), same('one', 'Received: from elsewhere'), same('three')];
      await server.append('same-id', all);
      expect((await run({ folder: 'same-id' })).result).toMatchObject({
        imported: 3,
        duplicates: 1,
        sameIdDifferent: 2,
      });
      const names = ['<same@example.com>', '<same@example.com>#2', '<same@example.com>#3'];
      expect((await rows()).map((row) => row.mailbox_message_id).sort()).toEqual(names);
      expect((await run({ folder: 'same-id' })).result).toMatchObject({
        imported: 0,
        duplicates: 4,
        sameIdDifferent: 0,
      });
      expect(await rows()).toHaveLength(3);
    });

    it('should read a message in many pieces', async () => {
      const large = mail(
        [],
        `${randomBytes(3_000_000)
          .toString('base64')
          .replace(/(.{76})/g, '$1\r\n')}\r\n`,
      );
      const exact = mail();
      const padding = 4 * 1024 * 1024 - exact.length - 2;
      const pieces = [large, Buffer.concat([exact, Buffer.alloc(padding, 'x'), Buffer.from('\r\n')]), mail()];
      expect(pieces[1]).toHaveLength(4 * 1024 * 1024);
      await server.append('large', pieces);
      const job = await run({ folder: 'large' });
      expect(job.result).toMatchObject({ imported: 3, failed: 0 });
      expect((await rows()).map((row) => row.sha256).sort()).toEqual(pieces.map(sha256).sort());
    });

    it('should keep flags and folder as labels, and change nothing on the server', async () => {
      await server.append('Projets/Été 2024', [
        { raw: mail(), flags: ['\\Seen'] },
        { raw: mail(), flags: ['\\Flagged', '\\Draft'] },
      ]);
      const folder = 'Projets/Été 2024';
      expect((await run({ folder })).result).toMatchObject({ imported: 2 });
      const labels = (await rows()).sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => row.label_ids);
      expect(labels.sort()).toEqual([[folder], [folder, 'UNREAD', 'STARRED', 'DRAFT']].sort());
      const flags = await server.session(async (client) => {
        await client.mailboxOpen(folder, { readOnly: true });
        return (await client.fetchAll('1:*', { flags: true })).map((message) => [...message.flags!].sort());
      });
      // Still recent: the folder has never been open for writing.
      expect(flags).toEqual([
        ['\\Recent', '\\Seen'],
        ['\\Draft', '\\Flagged', '\\Recent'],
      ]);
    });

    it.each(['quo"te back\\slash', '日本語 フォルダ', 'a&b', 'per%cent *star', 'deep/er/still'])(
      'should open the folder %j',
      async (folder) => {
        await server.append(folder, [mail()]);
        expect((await run({ folder })).result).toMatchObject({ imported: 1, failed: 0 });
      },
    );

    it('should import the inbox by default, and nothing from an empty folder', async () => {
      await server.append('INBOX', [{ raw: mail(), flags: ['\\Seen'] }]);
      expect((await run()).result).toMatchObject({ imported: 1 });
      expect((await rows())[0].label_ids).toEqual(['INBOX']);
      await server.append('empty', []);
      expect(await run({ folder: 'empty' })).toMatchObject({
        status: 'completed',
        total: 0,
        processed: 0,
        result: { imported: 0, duplicates: 0, failed: 0, bytes: 0 },
      });
    });

    it('should use STARTTLS where the server offers it, even without verification', async () => {
      await server.append('starttls', [mail()]);
      const before = server.log.length;
      expect((await run({ folder: 'starttls' })).result).toMatchObject({ imported: 1 });
      const logins = server.log
        .slice(before)
        .split('\n')
        .filter((line) => line.includes('imap-login: Info: Login:'));
      // The first is the one that appended.
      expect(logins.map((line) => /, TLS,|, TLS$/.test(line))).toContain(true);
      expect(logins.filter((line) => / TLS\b/.test(line))).toHaveLength(1);
    });

    it('should have the Date header as its date, and INTERNALDATE as its arrival', async () => {
      const receivedAt = new Date('2025-11-20T00:00:00.000Z');
      const absurd = Buffer.from(mail().toString().replace('1 Jan 2024', '1 Jan 2089'));
      await server.append('dates', [
        { raw: mail(['Received: from a by b; Tue, 2 Jan 2024 10:00:00 +0000']), receivedAt },
        { raw: absurd, receivedAt },
      ]);
      await run({ folder: 'dates' });
      const found = (await rows()).sort((one, other) => one.date - other.date);
      expect(found.map(({ date, date_source: source }) => [date, source])).toEqual([
        [new Date('2024-01-01T10:00:00.000Z'), 'header'],
        [receivedAt, 'arrival'],
      ]);
      for (const row of found) {
        expect(row.received_at).toEqual(receivedAt);
        expect(row.storage_key).toContain('/2025/11/');
      }
    });

    it('should stop at the quota, and count the imported messages', async () => {
      await server.append(
        'quota',
        Array.from({ length: 6 }, () => mail([], 'x'.repeat(100_000))),
      );
      await sut.dataSource.query('UPDATE users SET storage_quota_bytes = 350000 WHERE id = $1', [user.id]);
      const job = await run({ folder: 'quota' });
      expect(job).toMatchObject({ status: 'failed', error_code: 'quota-exceeded', total: 6, processed: 3 });
      const stored = await rows();
      expect(stored).toHaveLength(3);
      await sut.dataSource.query('UPDATE users SET storage_quota_bytes = 10000000 WHERE id = $1', [user.id]);
      expect((await run({ folder: 'quota' })).result).toMatchObject({
        imported: 3,
        duplicates: 3,
        failed: 0,
      });
      expect(await rows()).toHaveLength(6);
    });

    it('should import into two accounts at once, each its own mail', async () => {
      const all = mails(220);
      await server.append('both', all);
      const [firstUser, firstAccount] = [user, accountId];
      const first = await start({ folder: 'both' });
      await newAccount();
      const second = await start({ folder: 'both' });
      const [one, other] = await Promise.all([
        firstUser.jobEnd(first, 100_000),
        user.jobEnd(second, 100_000),
      ]);
      for (const job of [one, other])
        expect(job.result).toMatchObject({ imported: 220, duplicates: 0, failed: 0 });
      expect(await rows()).toHaveLength(220);
      const [{ count }] = await sut.dataSource.query(
        'SELECT count(*)::int FROM archived_mails WHERE account_id = $1 AND user_id = $2',
        [firstAccount, firstUser.id],
      );
      expect(count).toBe(220);
    });

    it('should name messages that are expunged during the import', async () => {
      const all = mails(250);
      await server.append('expunged', all);
      const now = jest.spyOn(sut.app.get(ImportWriter), 'readClock').mockImplementationOnce(async function (
        this: ImportWriter,
      ) {
        await server.session(async (client) => {
          await client.mailboxOpen('expunged');
          await client.messageDelete('100,240:250', { uid: true });
        });
        now.mockRestore();
        return this.readClock();
      });
      const job = await run({ folder: 'expunged' });
      expect(job).toMatchObject({ status: 'completed', total: 250, processed: 238, failed: 12 });
      expect(job.result).toMatchObject({ imported: 238, failed: 12 });
      expect(JSON.stringify(job.result.failures)).toContain('UID 240');
      expect(await rows()).toHaveLength(238);
    });

    it('should keep no hash of a request with a password, which would allow guessing', async () => {
      const key = { 'idempotency-key': 'once only' };
      const body = request({ folder: 'empty-2', maxMessages: 1 });
      const path = `/api/import/${accountId}/imap`;
      const send = (sent: object): Promise<any> => user.api.post(path, sent, { headers: key });
      const first = await send(body);
      expect(first.status).toBe(202);
      expect((await send(body)).body.jobId).toBe(first.body.jobId);
      const other = await send({ ...body, pass: 'another' });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency-key-reused']);
      const [row] = await sut.dataSource.query(
        'SELECT request_hash FROM jobs WHERE user_id = $1 AND request_hash IS NOT NULL',
        [user.id],
      );
      const plain = requestText({ method: 'POST', originalUrl: path, body });
      expect(row.request_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(row.request_hash).not.toBe(sha256(Buffer.from(plain)));
      await user.jobEnd(first.body.jobId as string);
    });

    it('should import the newest with maxMessages', async () => {
      const all = mails(10);
      await server.append('capped', all);
      const job = await run({ folder: 'capped', maxMessages: 3 });
      expect(job).toMatchObject({ total: 3, processed: 3, result: { imported: 3 } });
      expect((await rows()).map((row) => row.sha256).sort()).toEqual(all.slice(-3).map(sha256).sort());
      expect((await run({ folder: 'capped', maxMessages: 1_000 })).result).toMatchObject({
        imported: 7,
        duplicates: 3,
      });
    });

    it('should date a message without a date by its arrival', async () => {
      const receivedAt = new Date('2019-05-06T07:08:09.000Z');
      await server.append('undated', [
        { raw: Buffer.from('Subject: no date\r\nMessage-ID: <undated@imap.test>\r\n\r\n\r\n'), receivedAt },
      ]);
      await run({ folder: 'undated' });
      expect((await rows())[0].date).toEqual(receivedAt);
    });

    it('should thread conversations whose replies come first', async () => {
      await server.append('threads', [
        mail(['In-Reply-To: <thread-b@imap.test>', 'References: <thread-a@imap.test> <thread-b@imap.test>']),
        Buffer.from(
          'From: b@x\r\nSubject: Re: B\r\nMessage-ID: <thread-b@imap.test>\r\nIn-Reply-To: <thread-a@imap.test>\r\n\r\n.\r\n',
        ),
        mail(),
      ]);
      await server.append('threads-late', [
        Buffer.from('From: a@x\r\nSubject: A\r\nMessage-ID: <thread-a@imap.test>\r\n\r\n.\r\n'),
      ]);
      await run({ folder: 'threads' });
      await run({ folder: 'threads-late' });
      const { body } = await user.api.get(`/api/archive/${accountId}/threads`);
      expect(body.threads.map((thread: any) => thread.message_count).sort()).toEqual([1, 3]);
    });
  });

  describe('requests', () => {
    beforeAll(newAccount);

    it.each([
      ['host', undefined],
      ['host', ''],
      ['host', 'imap.example.com:993'],
      ['host', 'imaps://imap.example.com'],
      ['host', 'user@imap.example.com'],
      ['host', 'a b'],
      ['host', '-bad-.example.com'],
      ['host', 'x'.repeat(300)],
      ['host', 7],
      ['port', 0],
      ['port', 65_536],
      ['port', '993'],
      ['port', 1.5],
      ['secure', 'yes'],
      ['user', undefined],
      ['user', ''],
      ['user', 'a\r\nb'],
      ['user', 'x'.repeat(513)],
      ['pass', undefined],
      ['pass', ''],
      ['pass', 'a\nb'],
      ['pass', 'x'.repeat(1_025)],
      ['folder', ''],
      ['folder', 'a\u0000b'],
      ['folder', 'x'.repeat(513)],
      ['maxMessages', 0],
      ['maxMessages', -1],
      ['maxMessages', 1.5],
      ['maxMessages', 'all'],
    ])('should refuse a wrong %s: %j', async (field, value) => {
      const { status, body, bytes } = await post(request({ [field]: value }));
      expect([status, body.code]).toEqual([400, 'validation-failed']);
      expect(body.errors.map((error: any) => error.field)).toEqual([field]);
      if (field !== 'pass') expect(bytes.toString()).not.toContain(server.pass);
    });

    it('should refuse addresses that are not allowed, and name the host', async () => {
      const { status, body } = await post(request({ host: '169.254.169.254' }));
      expect([status, body.errors?.[0].field]).toEqual([400, 'host']);
    });

    it('should refuse private addresses where they are denied, and name the host', async () => {
      const { egress } = sut.app.get<{ egress: { allowPrivateNetworks: boolean } }>(AppConfig);
      const before = { ...egress };
      Object.assign(egress, { allowPrivateNetworks: false });
      try {
        for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]']) {
          const { status, body } = await post(request({ host }));
          expect([host, status, body.code, body.errors?.[0].field]).toEqual([
            host,
            400,
            'validation-failed',
            'host',
          ]);
        }
      } finally {
        Object.assign(egress, before);
      }
    });

    it('should require a token and an account of the caller', async () => {
      const path = `/api/import/${accountId}/imap`;
      expect((await sut.anonymous.post(path, request())).status).toBe(401);
      expect((await (await sut.user()).api.post(path, request())).status).toBe(403);
      expect((await user.api.post('/api/import/no-uuid/imap', request())).status).toBe(400);
    });

    it('should import into the archive of a disconnected account', async () => {
      await server.append('disconnected', [mail()]);
      expect((await user.api.fetch('DELETE', `/api/auth/mailbox/${accountId}`)).status).toBe(204);
      expect((await run({ folder: 'disconnected' })).result).toMatchObject({ imported: 1 });
    });
  });

  describe('failures', () => {
    beforeAll(newAccount);

    let silent: Server;
    const sockets = new Set<Socket>();
    const firstBatch = (): Promise<true> =>
      waitFor('the first batch', async () => (await rows()).length > 0 || undefined, 100_000);
    beforeAll(async () => {
      silent = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    it.each<[string, () => object, string, RegExp]>([
      ['an unknown host', () => ({ host: 'imap.invalid' }), 'imap-host-unreachable', /resolved/],
      ['a closed port', () => ({ port: 1 }), 'imap-host-unreachable', /refuses/],
      ['a wrong password', () => ({ pass: 'wrong-secret-1' }), 'imap-login-failed', /password/],
      ['an unknown user', () => ({ user: 'mallory' }), 'imap-login-failed', /password/],
      ['an unknown folder', () => ({ folder: 'No/Such' }), 'imap-folder-not-found', /no such folder/],
      [
        'a self-signed certificate',
        () => ({ secure: true, port: server.tlsPort }),
        'imap-tls-failed',
        /self-signed/,
      ],
      ['TLS where there is none', () => ({ secure: true }), 'imap-tls-failed', /does not speak TLS/],
      [
        'no IMAP over TLS',
        () => ({ secure: true, port: (silent.address() as AddressInfo).port }),
        'imap-tls-failed',
        /TLS/,
      ],
    ])('should be reported: %s', async (_name, changes, code, sentence) => {
      const job = await run(changes());
      expect(job).toMatchObject({ status: 'failed', error_code: code, processed: 0 });
      expect(job.error).toMatch(sentence);
      expect(JSON.stringify(job)).not.toContain(server.pass);
      expect(JSON.stringify(job)).not.toContain('wrong-secret-1');
    });

    nightly('should continue where it was when the connection is lost', async () => {
      await newAccount();
      const all = mails(450);
      await server.append('lost', all);
      const proxy = await TcpProxy.to(`http://127.0.0.1:${server.port}`);
      const jobId = await start({ folder: 'lost', port: Number(new URL(proxy.url).port) });
      await firstBatch();
      proxy.vanish();
      await waitFor('the loss to be noticed', async () => {
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        return body.processed > 0 && body.status === 'active';
      });
      proxy.restore();
      const job = await user.jobEnd(jobId, 100_000);
      expect(job).toMatchObject({ status: 'completed', total: 450, processed: 450, failed: 0 });
      expect(job.result).toMatchObject({ imported: 450, duplicates: 0 });
      await proxy.close();
    });

    nightly('should give up, and report why, when the server stays unavailable', async () => {
      await newAccount();
      await server.append('away', mails(450));
      const proxy = await TcpProxy.to(`http://127.0.0.1:${server.port}`);
      const jobId = await start({ folder: 'away', port: Number(new URL(proxy.url).port) });
      await firstBatch();
      await proxy.close();
      const job = await user.jobEnd(jobId, 100_000);
      expect(job).toMatchObject({ status: 'failed', error_code: 'imap-host-unreachable' });
      expect(job.processed).toBe((await rows()).length);
    });

    nightly('should be cancelled between batches, and close the connection', async () => {
      await newAccount();
      await server.append('cancelled', mails(450));
      const proxy = await TcpProxy.to(`http://127.0.0.1:${server.port}`);
      const jobId = await start({ folder: 'cancelled', port: Number(new URL(proxy.url).port) });
      await firstBatch();
      expect((await user.api.fetch('DELETE', `/api/jobs/${jobId}`)).status).toBe(204);
      const job = await user.jobEnd(jobId, 100_000);
      expect(job.status).toBe('cancelled');
      expect((await rows()).length).toBeLessThan(450);
      await proxy.close();
      const [secrets] = await sut.dataSource.query('SELECT sealed_secrets FROM jobs WHERE id = $1', [job.id]);
      expect(secrets.sealed_secrets).toBeNull();
    });
  });
});

/** The bytes of a message in the form of an IMAP server, with CRLF line ends. */
function crlf(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
