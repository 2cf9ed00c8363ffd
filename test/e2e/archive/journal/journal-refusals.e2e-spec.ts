import { createTransport } from 'nodemailer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainToUnicode } from 'node:url';
import { JournalListener } from '../../../../src/archive/journal/smtp/journal-listener';
import { startTestApp, TestApp } from '../../../support/app';
import { createTestDatabase } from '../../../support/database';
import { FullDisk } from '../../../support/full-disk';
import { JOURNAL_ENV, journalled, journalPort, letter } from '../../../support/journal/journal-fixture';
import { SmtpClient } from '../../../support/journal/smtp-client';
import { testCertificate } from '../../../support/imap/test-certificate';
import { CERTIFICATE } from '../../../support/object-store/self-signed';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';

const MIB = 1024 * 1024;

describe('The listener for copied mail', () => {
  let directory: string;
  let app: TestApp;
  let administrator: TestUser;
  let user: TestUser;
  let port: number;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mailroom-journal-'));
    writeFileSync(join(directory, 'cert.pem'), CERTIFICATE.cert);
    writeFileSync(join(directory, 'key.pem'), CERTIFICATE.key);
    app = await startTestApp({
      sandbox: { messages: 1 },
      env: {
        ...JOURNAL_ENV,
        SMTP_JOURNAL_TLS_CERT: join(directory, 'cert.pem'),
        SMTP_JOURNAL_TLS_KEY: join(directory, 'key.pem'),
        SMTP_JOURNAL_MAX_MESSAGE_BYTES: String(2 * MIB),
        SMTP_JOURNAL_MAX_BYTES_IN_FLIGHT: String(3 * MIB),
        SMTP_JOURNAL_MAX_CONNECTIONS: '4',
      },
    });
    administrator = await app.user('admin');
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    port = journalPort(app);
  });

  afterAll(async () => {
    await app?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const withClient = async <T>(work: (client: SmtpClient) => Promise<T>): Promise<T> => {
    const client = await SmtpClient.open(port);
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };
  const send = (address: string, raw: Buffer, parameters?: string) =>
    withClient((client) => client.send('alice@example.com', [address], raw, parameters));
  const subjectsOf = async (accountId: string): Promise<string[]> => {
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100`);
    return (body.mails as any[]).map(({ subject }) => subject as string);
  };

  it('should take mail over STARTTLS from an ordinary client', async () => {
    const { archive, address } = await journalled(app, user);
    const transport = createTransport({
      ...{ host: '127.0.0.1', port, secure: false, requireTLS: true },
      tls: { ca: CERTIFICATE.cert, servername: 'localhost' },
    });
    await transport.sendMail({
      ...{ from: 'alice@example.com', to: 'bob@example.com', subject: 'Over TLS', text: 'Hello' },
      envelope: { from: 'alice@example.com', to: address },
    });
    transport.close();
    expect(await subjectsOf(archive.accountId)).toEqual(['Over TLS']);
  });

  it('should refuse a message that is too large, announced or not, for good', async () => {
    const { archive, path, address } = await journalled(app, user);
    const raw = letter('Too large', 'x'.repeat(2 * MIB));
    const announced = await withClient((client) =>
      client.command(`MAIL FROM:<alice@example.com> SIZE=${raw.length}`),
    );
    expect(announced).toMatchObject({ code: 552, text: expect.stringMatching(/^5\.3\.4 /) as string });
    const unannounced = await send(address, raw);
    expect(unannounced).toMatchObject({ code: 552, text: expect.stringMatching(/^5\.3\.4 /) as string });
    expect(await archive.files()).toEqual([]);
    expect((await user.api.get(path)).body).toMatchObject({ refused: 1, lastRefusal: 'too-large' });
  });

  it('should ask to try again while too much arrives at a time', async () => {
    const { archive, path, address } = await journalled(app, user);
    await withClient(async (slow) => {
      await slow.envelope('alice@example.com', [address], ` SIZE=${2 * MIB}`);
      await slow.command('DATA');
      slow.write(letter('Slow').subarray(0, 50));
      const refused = await send(address, letter('Second', 'x'.repeat(MIB)), ` SIZE=${2 * MIB}`);
      expect(refused).toMatchObject({ code: 452, text: expect.stringMatching(/^4\.3\.1 /) as string });
      expect((await user.api.get(path)).body).toMatchObject({ refused: 1, lastRefusal: 'busy' });
      slow.write(Buffer.concat([letter('Slow').subarray(50), Buffer.from('.\r\n')]));
      expect((await slow.next()).code).toBe(250);
    });
    expect((await send(address, letter('Second'), ` SIZE=${2 * MIB}`)).code).toBe(250);
    expect((await subjectsOf(archive.accountId)).toSorted()).toEqual(['Second', 'Slow']);
  });

  it('should refuse connections beyond its limit, and serve later ones', async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => SmtpClient.open(port)));
    const { client, greeting } = await SmtpClient.connect(port);
    expect(greeting.code).toBe(421);
    for (const each of [...clients, client]) each.destroy();
  });

  it('should ask to try again while the disk is full, and keep nothing', async () => {
    const { archive, path, address } = await journalled(app, user);
    const disk = await FullDisk.below(app.archiveDir);
    try {
      const answer = await send(address, letter('No room'));
      expect(answer).toMatchObject({ code: 452, text: expect.stringMatching(/^4\.3\.1 /) as string });
    } finally {
      disk.makeRoom();
    }
    expect(await subjectsOf(archive.accountId)).toEqual([]);
    expect((await user.api.get(path)).body).toMatchObject({
      received: 0,
      refused: 1,
      lastRefusal: 'disk-full',
    });
    expect((await send(address, letter('No room'))).code).toBe(250);
    expect(await subjectsOf(archive.accountId)).toEqual(['No room']);
  });

  it('should ask to try again while the disk for large messages is full', async () => {
    const { archive, address } = await journalled(app, user);
    const large = letter('Large', 'x'.repeat(MIB));
    const disk = await FullDisk.below(join(app.env['DATA_DIR']!, 'arriving'));
    try {
      expect(await send(address, large)).toMatchObject({ code: 452 });
    } finally {
      disk.makeRoom();
    }
    expect((await send(address, large)).code).toBe(250);
    expect(await subjectsOf(archive.accountId)).toEqual(['Large']);
  });

  it('should ask to try again when the storage quota is used up, and take what fits', async () => {
    const { archive, path, address } = await journalled(app, user);
    const raw = letter('Fits');
    const [{ used }] = await app.dataSource.query(
      'SELECT coalesce(sum(size_bytes), 0)::int AS used FROM archived_mails WHERE user_id = $1',
      [user.id],
    );
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [
      user.id,
      Number(used) + raw.length + 20,
    ]);
    const clients = await Promise.all([1, 2].map(() => SmtpClient.open(port)));
    const answers = await Promise.all([
      clients[0]!.send('alice@example.com', [address], raw),
      clients[1]!.send('alice@example.com', [address], letter('Fitt')),
    ]);
    for (const client of clients) client.destroy();
    expect(answers.map(({ code }) => code).toSorted()).toEqual([250, 452]);
    expect(answers.find(({ code }) => code === 452)!.text).toMatch(/^4\.2\.2 /);
    expect(await subjectsOf(archive.accountId)).toHaveLength(1);
    expect((await user.api.get(path)).body).toMatchObject({
      ...{ received: 1, duplicates: 0, refused: 1, lastRefusal: 'quota-exceeded' },
    });
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = 5368709120 WHERE id = $1', [user.id]);
  });

  it('should let the mail of a deactivated user wait at its sender', async () => {
    const { address } = await journalled(app, user);
    const set = (isActive: boolean) =>
      administrator.api.patch(`/api/admin/users/${user.id}`, { is_active: isActive });
    await set(false);
    try {
      expect(await send(address, letter('Later'))).toMatchObject({
        ...{ code: 450, text: '4.2.1 The recipient is disabled at present' },
      });
    } finally {
      await set(true);
      const { body } = await app.anonymous.post('/api/auth/login', {
        email: user.email,
        password: user.password,
      });
      user.api.token = body.access_token as string;
    }
    expect((await send(address, letter('Later'))).code).toBe(250);
  });

  it('should take mail for a mailbox that was disconnected, as imports do', async () => {
    const { archive, address } = await journalled(app, user);
    await user.api.delete(`/api/auth/mailbox/${archive.accountId}`);
    expect((await send(address, letter('Afterwards'))).code).toBe(250);
    expect(await subjectsOf(archive.accountId)).toEqual(['Afterwards']);
  });
});

describe('The listener for copied mail, by its settings', () => {
  const start = (env: Record<string, string>) =>
    startTestApp({ sandbox: { messages: 1 }, env: { ...JOURNAL_ENV, ...env } });

  it('should refuse hosts of other networks', async () => {
    const app = await start({ SMTP_JOURNAL_ALLOWED_NETWORKS: '192.0.2.0/24, 2001:db8::/32' });
    try {
      const { client, greeting } = await SmtpClient.connect(journalPort(app));
      expect(greeting).toMatchObject({ code: 554, text: 'Hosts of this network may not connect' });
      await expect(client.next()).rejects.toThrow();
    } finally {
      await app.close();
    }
  });

  it('should take mail over TLS only, where that is required', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-journal-'));
    writeFileSync(join(directory, 'cert.pem'), CERTIFICATE.cert);
    writeFileSync(join(directory, 'key.pem'), CERTIFICATE.key);
    const app = await start({
      SMTP_JOURNAL_TLS_CERT: join(directory, 'cert.pem'),
      SMTP_JOURNAL_TLS_KEY: join(directory, 'key.pem'),
      SMTP_JOURNAL_REQUIRE_TLS: 'true',
    });
    try {
      const { address } = await journalled(app, await app.user());
      const client = await SmtpClient.open(journalPort(app));
      expect(await client.command('MAIL FROM:<alice@example.com>')).toEqual({
        ...{ code: 530, text: '5.7.0 Must issue a STARTTLS command first' },
      });
      expect((await client.startTls()).code).toBe(220);
      expect((await client.send('alice@example.com', [address], letter('Secured'))).code).toBe(250);
      client.destroy();
    } finally {
      await app.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('should take over a renewed certificate without a restart, once it is whole', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-journal-'));
    const [certificate, key] = ['cert', 'key'].map((name) => join(directory, `${name}.pem`)) as [
      string,
      string,
    ];
    writeFileSync(certificate, CERTIFICATE.cert);
    writeFileSync(key, CERTIFICATE.key);
    const app = await start({ SMTP_JOURNAL_TLS_CERT: certificate, SMTP_JOURNAL_TLS_KEY: key });
    try {
      const listener = app.get(JournalListener);
      const { address } = await journalled(app, await app.user());
      const trusting = async (ca: string, subject: string): Promise<void> => {
        const transport = createTransport({
          ...{ host: '127.0.0.1', port: journalPort(app), secure: false, requireTLS: true },
          tls: { ca, servername: 'localhost' },
        });
        await transport.sendMail({
          envelope: { from: 'alice@example.com', to: address },
          raw: letter(subject),
        });
        transport.close();
      };
      const renewed = testCertificate();
      listener.renewCertificate();
      await trusting(CERTIFICATE.cert, 'With the first');
      writeFileSync(certificate, renewed.cert);
      listener.renewCertificate();
      await trusting(CERTIFICATE.cert, 'With the first still, as the key is not its own');
      writeFileSync(key, renewed.key);
      listener.renewCertificate();
      await trusting(renewed.cert, 'With the second');
      await expect(trusting(CERTIFICATE.cert, 'Untrusted')).rejects.toThrow();
    } finally {
      await app.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('should find recipients of a domain that is not ASCII, written in either way', async () => {
    const app = await start({ SMTP_JOURNAL_DOMAIN: 'xn--archiv-bcher-klb.test' });
    try {
      const { address } = await journalled(app, await app.user());
      const local = address.split('@')[0]!;
      const client = await SmtpClient.open(journalPort(app));
      await client.command('MAIL FROM:<alice@example.com> SMTPUTF8');
      expect((await client.command(`RCPT TO:<${address}>`)).code).toBe(250);
      expect(
        (await client.command(`RCPT TO:<${local}@${domainToUnicode('xn--archiv-bcher-klb.test')}>`)).code,
      ).toBe(250);
      client.destroy();
    } finally {
      await app.close();
    }
  });

  it('should ask to try again while the database is gone, and archive the message once', async () => {
    const database = await createTestDatabase();
    const proxy = await TcpProxy.to(database.url);
    const app = await start({ DATABASE_URL: proxy.url });
    try {
      const user = await app.user();
      const { archive, path, address } = await journalled(app, user);
      const client = await SmtpClient.open(journalPort(app));
      expect((await client.envelope('alice@example.com', [address])).code).toBe(250);
      proxy.vanish();
      const answer = await client.message(letter('Patience'));
      expect(answer).toMatchObject({ code: 451, text: expect.stringMatching(/^4\.3\.0 /) as string });
      // Recipients cannot be looked up either: that is no reason to refuse them for good.
      expect((await client.envelope('alice@example.com', [address])).code).toBe(451);
      proxy.restore();
      client.destroy();
      const again = await SmtpClient.open(journalPort(app));
      expect((await again.send('alice@example.com', [address], letter('Patience'))).code).toBe(250);
      again.destroy();
      const { body } = await user.api.get(`${archive.path}/mails`);
      expect(body.total).toBe(1);
      expect((await user.api.get(path)).body).toMatchObject({ received: 1, duplicates: 0 });
    } finally {
      await app.close();
      await proxy.close();
      await database.drop();
    }
  });

  it('should not listen in a process that only runs jobs', async () => {
    const app = await start({ ROLE: 'worker' });
    try {
      expect(app.get(JournalListener).port).toBeNull();
    } finally {
      await app.close();
    }
  });
});
