import { createTransport } from 'nodemailer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { exchangeReport, journalled, letter, startJournal } from '../../../support/journal/journal-fixture';
import { SmtpClient } from '../../../support/journal/smtp-client';
import type { TestUser } from '../../../support/test-user';

describe('Mail copied by SMTP', () => {
  let app: TestApp;
  let user: TestUser;
  let port: number;

  beforeAll(async () => {
    ({ app, user, port } = await startJournal());
  });

  afterAll(() => app?.close());

  const send = async (address: string | readonly string[], raw: Buffer, sender = 'alice@example.com') => {
    const client = await SmtpClient.open(port);
    try {
      return await client.send(sender, typeof address === 'string' ? [address] : address, raw);
    } finally {
      client.destroy();
    }
  };
  const mailsOf = async ({ accountId }: ArchiveFixture): Promise<any[]> => {
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100`);
    return Promise.all(
      (body.mails as any[]).map(
        async ({ id }) => (await user.api.get(`/api/archive/${accountId}/mails/${id}`)).body,
      ),
    );
  };

  it('should archive a message byte for byte before it answers 250', async () => {
    const { archive, address } = await journalled(app, user);
    const raw = Buffer.concat([
      letter('Dots and bytes', '.', '..', '.dot', 'a line', '.', ''),
      Buffer.from([0xe9, 0x80, 0xff, 0x00, 0x41, 0x0d, 0x0a]),
      Buffer.from('last line\r\n'),
    ]);
    const answer = await send(address, raw);
    expect(answer).toMatchObject({ code: 250 });
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'Dots and bytes',
      sha256: sha256(raw),
      size_bytes: raw.length,
      envelope: { kind: 'message', sender: 'alice@example.com', bcc: [], recipients: [] },
    });
    const [key] = await archive.files();
    expect(await readFile(join(app.archiveDir, key!))).toEqual(raw);
    const { body } = await user.api.get(`/api/journal/${archive.accountId}`);
    expect(body).toMatchObject({ available: true, address, received: 1, duplicates: 0, refused: 0 });
    expect(body.receivedBytes).toBe(raw.length);
    expect(body.lastReceivedAt).not.toBeNull();
  });

  it('should not archive a message twice that its sender sends again', async () => {
    const { archive, address } = await journalled(app, user);
    const raw = letter('Sent again');
    const again = Buffer.concat([
      Buffer.from('Received: from a by b; Sun, 1 Mar 2026 08:00:01 +0000\r\n'),
      raw,
    ]);
    expect((await send(address, raw)).code).toBe(250);
    expect((await send(address, raw)).code).toBe(250);
    // By another way, with other trace fields.
    expect((await send(address, again)).code).toBe(250);
    expect(await mailsOf(archive)).toHaveLength(1);
    const { body } = await user.api.get(`/api/journal/${archive.accountId}`);
    expect(body).toMatchObject({ received: 1, duplicates: 2 });
  });

  it('should archive one message for several accounts, and refuse what is no address of one', async () => {
    const one = await journalled(app, user);
    const two = await journalled(app, user);
    const client = await SmtpClient.open(port);
    expect((await client.command('MAIL FROM:<>')).code).toBe(250);
    expect((await client.command(`RCPT TO:<${one.address}>`)).code).toBe(250);
    const unknown = one.address.replace(/.@/, '1@');
    expect(await client.command(`RCPT TO:<${unknown}>`)).toEqual({
      code: 550,
      text: '5.1.1 No such recipient',
    });
    expect(
      await client.command(`RCPT TO:<${one.address.replace('archive.test', 'other.test')}>`),
    ).toMatchObject({
      code: 550,
    });
    expect(await client.command('RCPT TO:<bob@archive.test>')).toMatchObject({ code: 550 });
    // Mail servers may change the case of an address.
    expect((await client.command(`RCPT TO:<${two.address.toUpperCase()}>`)).code).toBe(250);
    expect((await client.message(letter('For two'))).code).toBe(250);
    client.destroy();
    for (const { archive } of [one, two]) {
      const [mail] = await mailsOf(archive);
      expect(mail).toMatchObject({ subject: 'For two', envelope: { sender: null } });
    }
  });

  it('should close the connection of a client that guesses addresses', async () => {
    const client = await SmtpClient.open(port);
    await client.command('MAIL FROM:<>');
    const codes: number[] = [];
    for (let guess = 0; guess < 10; guess += 1)
      codes.push((await client.command(`RCPT TO:<journal-${'a'.repeat(31)}${guess}@archive.test>`)).code);
    expect(codes).toEqual([...Array<number>(9).fill(550), 421]);
    await expect(client.next()).rejects.toThrow();
  });

  it('should unwrap a journal report of Exchange and keep its envelope', async () => {
    const { archive, address } = await journalled(app, user, 'exchange-reports');
    const message = letter('Secret plan', 'with a blind copy');
    const report = exchangeReport(message, [
      'Sender: alice@example.com',
      'Subject: Secret plan',
      'Message-Id: <Secret-plan@example.com>',
      'To: bob@example.com',
      'Cc: dan@example.com, Expanded: team@example.com',
      'Bcc: carol@hidden.example',
    ]);
    expect((await send(address, report, '')).code).toBe(250);
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'Secret plan',
      sha256: sha256(message),
      envelope: {
        kind: 'report',
        sender: 'alice@example.com',
        to: ['bob@example.com'],
        cc: ['dan@example.com'],
        bcc: ['carol@hidden.example'],
        recipients: [],
      },
    });
    const found = await user.api.get(`${archive.path}/mails?q=carol%40hidden.example`);
    expect(found.body.total).toBe(1);
  });

  it('should store a message that looks like a journal report whole, where copies are expected', async () => {
    const { archive, address } = await journalled(app, user);
    const forged = exchangeReport(letter('Forged'), ['Sender: alice@example.com', 'To: bob@example.com']);
    expect((await send(address, forged)).code).toBe(250);
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'a report',
      sha256: sha256(forged),
      envelope: { kind: 'message', sender: 'alice@example.com', to: [] },
    });
  });

  it('should treat a message for two accounts as each of them expects it', async () => {
    const whole = await journalled(app, user);
    const unwrapped = await journalled(app, user, 'exchange-reports');
    const report = exchangeReport(letter('For both'), ['Sender: alice@example.com']);
    expect((await send([whole.address, unwrapped.address], report, '')).code).toBe(250);
    const large = exchangeReport(letter('Large', 'x'.repeat(400_000)), ['Sender: alice@example.com']);
    expect((await send([whole.address, unwrapped.address], large, '')).code).toBe(250);
    expect((await mailsOf(whole.archive)).map(({ sha256: hash }) => hash).toSorted()).toEqual(
      [report, large].map(sha256).toSorted(),
    );
    expect((await mailsOf(unwrapped.archive)).map(({ subject }) => subject).toSorted()).toEqual([
      'For both',
      'Large',
    ]);
  });

  it('should join the envelopes of a message that is reported for each group of recipients', async () => {
    const { archive, address } = await journalled(app, user, 'exchange-reports');
    const message = letter('To many');
    const reportTo = (recipient: string): Buffer =>
      exchangeReport(message, ['Sender: alice@example.com', `Bcc: ${recipient}`]);
    const clients = await Promise.all([0, 1, 2, 3].map(() => SmtpClient.open(port)));
    const answers = await Promise.all(
      clients.map((client, index) => client.send('', [address], reportTo(`group${index}@example.com`))),
    );
    for (const client of clients) client.destroy();
    expect(answers.map(({ code }) => code)).toEqual([250, 250, 250, 250]);
    const mails = await mailsOf(archive);
    expect(mails).toHaveLength(1);
    expect((mails[0].envelope.bcc as string[]).toSorted()).toEqual([
      'group0@example.com',
      'group1@example.com',
      'group2@example.com',
      'group3@example.com',
    ]);
    const { body } = await user.api.get(`${archive.path}/mails?q=group3%40example.com`);
    expect(body.total).toBe(1);
  });

  it('should archive a report that it cannot unwrap as it came, and mark it', async () => {
    const { archive, address } = await journalled(app, user, 'exchange-reports');
    const report = exchangeReport(letter('Wrapped'), ['Please read the attached message.']);
    expect((await send(address, report, '')).code).toBe(250);
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'a report',
      sha256: sha256(report),
      envelope: { kind: 'unreadable-report' },
    });
  });

  it('should add the envelope to a message that the archive has from the mailbox', async () => {
    const { archive, address } = await journalled(app, user, 'exchange-reports');
    const message = letter('Known already');
    const [id] = await archive.insertAndArchive(message);
    const report = exchangeReport(message, ['Sender: alice@example.com', 'Bcc: erin@example.com']);
    expect((await send(address, report, '')).code).toBe(250);
    const mails = await mailsOf(archive);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ id, envelope: { kind: 'report', bcc: ['erin@example.com'] } });
  });

  it('should replace its copy by the message that the mailbox has, with its envelope', async () => {
    const { archive, address } = await journalled(app, user, 'exchange-reports');
    const message = letter('In both places');
    const report = exchangeReport(message, ['Sender: alice@example.com', 'Bcc: frank@example.com']);
    expect((await send(address, report, '')).code).toBe(250);
    const delivered = Buffer.concat([
      Buffer.from('Received: from x by y; Sun, 1 Mar 2026 08:00:02 +0000\r\n'),
      message,
    ]);
    await archive.insertAndArchive(delivered);
    const mails = await mailsOf(archive);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      sha256: sha256(delivered),
      envelope: { kind: 'report', bcc: ['frank@example.com'] },
    });
    const { body } = await user.api.get(`${archive.path}/mails?q=frank%40example.com`);
    expect(body.total).toBe(1);
  });

  it('should keep apart messages of one Message-ID with other content', async () => {
    const { archive, address } = await journalled(app, user);
    expect((await send(address, letter('One id', 'first'))).code).toBe(250);
    expect((await send(address, letter('One id', 'second'))).code).toBe(250);
    expect(await mailsOf(archive)).toHaveLength(2);
  });

  it('should archive a message that does not fit into memory with others', async () => {
    const { archive, address } = await journalled(app, user);
    const raw = letter('Large', ...Array<string>(60_000).fill('.0123456789'.repeat(4)));
    expect((await send(address, raw)).code).toBe(250);
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({ sha256: sha256(raw), size_bytes: raw.length });
  });

  it('should keep nothing of a message whose connection breaks off', async () => {
    const { archive, path, address } = await journalled(app, user);
    const client = await SmtpClient.open(port);
    await client.envelope('alice@example.com', [address]);
    await client.command('DATA');
    client.write(letter('Broken off').subarray(0, 100));
    client.destroy();
    const other = await send(address, letter('Whole'));
    expect(other.code).toBe(250);
    expect((await mailsOf(archive)).map(({ subject }) => subject)).toEqual(['Whole']);
    expect((await user.api.get(path)).body).toMatchObject({ received: 1, refused: 0 });
  });

  it('should refuse a message that goes round in a loop for good', async () => {
    const { archive, path, address } = await journalled(app, user);
    const hops = 'Received: from a by b; Sun, 1 Mar 2026 08:00:01 +0000\r\n'.repeat(51);
    const answer = await send(address, Buffer.concat([Buffer.from(hops), letter('Round and round')]));
    expect(answer).toEqual({ code: 554, text: '5.4.6 Too many hops: the message goes round in a loop' });
    expect(await mailsOf(archive)).toEqual([]);
    expect((await user.api.get(path)).body).toMatchObject({ refused: 1, lastRefusal: 'loop' });
  });

  it('should take mail from an ordinary client, with non-ASCII and long lines', async () => {
    const { archive, address } = await journalled(app, user);
    const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
    await transport.sendMail({
      from: 'Zoë <zoe@example.com>',
      to: 'bob@example.com',
      envelope: { from: 'zoe@example.com', to: address },
      subject: 'Grüße',
      text: 'é'.repeat(2_000),
      attachments: [{ filename: 'a.bin', content: Buffer.alloc(10_000, 7) }],
    });
    transport.close();
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'Grüße',
      has_attachments: true,
      envelope: { sender: 'zoe@example.com' },
    });
  });

  it('should take mail with addresses and a header in UTF-8 (SMTPUTF8)', async () => {
    const { archive, address } = await journalled(app, user);
    const raw = Buffer.concat([
      Buffer.from('X-Original-To: jürgen@bücher.example\r\nReply-To: Zoë <zoë@exämple.com>\r\n'),
      letter('Grüße'),
    ]);
    const client = await SmtpClient.open(port);
    const answer = await client.send('zoë@exämple.com', [address], raw, ' BODY=8BITMIME SMTPUTF8');
    client.destroy();
    expect(answer).toEqual({ code: 250, text: '2.6.0 OK: archived' });
    const [mail] = await mailsOf(archive);
    expect(mail).toMatchObject({
      subject: 'Grüße',
      sha256: sha256(raw),
      envelope: { sender: 'zoë@exämple.com', recipients: ['jürgen@bücher.example'] },
    });
    const { body } = await user.api.get(`${archive.path}/mails?q=j%C3%BCrgen%40b%C3%BCcher.example`);
    expect(body.total).toBe(1);
  });

  it('should announce its limits, and neither authentication nor STARTTLS without a certificate', async () => {
    const { client, greeting } = await SmtpClient.connect(port);
    expect(greeting).toMatchObject({ code: 220 });
    const { text } = await client.command('EHLO client.test');
    expect(text.split('\n').slice(1).toSorted()).toEqual([
      '8BITMIME',
      'ENHANCEDSTATUSCODES',
      'PIPELINING',
      `SIZE ${150 * 1024 * 1024}`,
      'SMTPUTF8',
    ]);
    expect((await client.command('AUTH PLAIN AAAA')).code).toBe(500);
    expect((await client.command('VRFY bob')).code).toBe(252);
    client.destroy();
  });
});
