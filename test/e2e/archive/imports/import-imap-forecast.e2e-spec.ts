import { startTestApp, type TestApp } from '../../../support/app';
import { GmailImapServer } from '../../../support/imap/gmail/gmail-imap-server';
import { TestImapServer } from '../../../support/imap/imap-server';
import { trust } from '../../../support/imap/trust';
import { addPlainMail } from '../../../support/peers/gmail-imap-peer';
import type { TestUser } from '../../../support/test-user';

const ALL_MAIL = '[Gmail]/All Mail';

interface Forecast {
  readonly provider: string | null;
  readonly messages: number | null;
  readonly bytes: number | null;
  readonly completesOn: string | null;
}

describe('Forecast of an import from IMAP', () => {
  let sut: TestApp;
  let gmail: GmailImapServer;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    accountId = await user.connect('imap-forecast-1@sandbox.mailroom.test');
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    gmail = await GmailImapServer.start();
    trust(gmail.certificate.cert);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await gmail.stop();
  });

  const add = (count: number): void => {
    for (let number = 1; number <= count; number += 1) addPlainMail(gmail, number);
  };
  const request = (changes: object = {}): Record<string, unknown> => ({
    host: 'localhost',
    port: gmail.port,
    user: gmail.user,
    pass: gmail.pass,
    folder: ALL_MAIL,
    ...changes,
  });
  const ask = (
    changes: object = {},
    { api } = user,
  ): Promise<{ status: number; body: Forecast & { code?: string; errors?: unknown } }> =>
    api.post(`/api/import/${accountId}/imap/forecast`, request(changes));
  /** States sizes of real messages in place of those of the test. */
  const enlarge = (bytes: number): void => {
    for (const message of gmail.mailbox.messages)
      Object.defineProperty(message, 'raw', { value: { length: bytes } });
  };

  it('should count the messages and estimate their bytes, and start nothing', async () => {
    add(1_200);
    const real = [...gmail.mailbox.messages].reduce((sum, { raw }) => sum + raw.length, 0);
    const { status, body } = await ask();
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        provider: 'Gmail',
        messages: 1_200,
        approximate: true,
        bytesPerDay: 2_500_000_000,
        jobBytesPerDay: 2_500_000_000,
        completesOn: null,
        cutFolders: [],
      },
    });
    expect(Math.abs((body.bytes ?? 0) - real) / real).toBeLessThan(0.1);
    const { body: jobs } = await user.api.get('/api/jobs');
    expect(jobs).toEqual([]);
    expect(gmail.said.join('\n')).not.toContain('BODY');
  });

  it('should say the day on which the last message will have been imported', async () => {
    add(20);
    enlarge(1_950_000_000);
    // 39 GB at 2.5 GB a day, of which the first is this day.
    const day = new Date(Date.now() + 15 * 24 * 60 * 60_000).toISOString().slice(0, 10);
    expect((await ask()).body).toMatchObject({ messages: 20, bytes: 39_000_000_000, completesOn: day });
    expect((await ask({ maxMessages: 1 })).body).toMatchObject({ messages: 1, completesOn: null });
  });

  it('should name a folder that the provider may have cut, unless all that is wanted is shown', async () => {
    add(1_000);
    expect((await ask()).body).toMatchObject({ cutFolders: [{ path: ALL_MAIL, messages: 1_000 }] });
    expect((await ask({ maxMessages: 1_000 })).body).toMatchObject({ cutFolders: [] });
    expect((await ask({ maxMessages: 1_001 })).body).toMatchObject({
      messages: 1_000,
      cutFolders: [{ path: ALL_MAIL, messages: 1_000 }],
    });
  });

  it('should know nothing of a server without known limits', async () => {
    const other = await TestImapServer.start();
    try {
      const { host, port, user: name, pass } = other;
      expect(await ask({ host, port, secure: false, user: name, pass, folder: 'INBOX' })).toMatchObject({
        status: 200,
        body: { provider: null, messages: null, bytes: null, approximate: false, completesOn: null },
      });
    } finally {
      await other.stop();
    }
  });

  it('should say what the server refuses', async () => {
    const refused = (code: string, field: string): object => ({
      status: 400,
      body: { code, errors: [expect.objectContaining({ field })] },
    });
    expect(await ask({ pass: 'wrong' })).toMatchObject(refused('imap-login-failed', 'pass'));
    expect(await ask({ folder: 'Nowhere' })).toMatchObject(refused('imap-folder-not-found', 'folder'));
    expect(await ask({ port: 1 })).toMatchObject(refused('imap-host-unreachable', 'host'));
  });

  it('should say that the server has reached its limit', async () => {
    gmail.misbehave = (command, socket, tag) => {
      if (!/^\S*\s*LIST/i.test(command)) return undefined;
      socket.write(`${tag} NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)\r\n`);
      return true;
    };
    const { status, body } = await ask();
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'imap-throttled' } });
  });

  it('should refuse bad input, callers without a token, and the accounts of others', async () => {
    expect(await ask({ host: '' })).toMatchObject({
      status: 400,
      body: { errors: [expect.objectContaining({ field: 'host' })] },
    });
    expect((await ask({ maxMessages: 0 })).status).toBe(400);
    const path = `/api/import/${accountId}/imap/forecast`;
    expect((await sut.anonymous.post(path, request())).status).toBe(401);
    expect((await ask({}, await sut.user())).status).toBe(403);
  });
});
