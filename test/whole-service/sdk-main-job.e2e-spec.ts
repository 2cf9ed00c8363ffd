import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import {
  createMailroom,
  JobFailed,
  type Job,
  type Mailroom,
  MailroomError,
  type Session,
  verifyWebhook,
} from '../../sdk/src/index';
import { startTestApp, TestApp } from '../support/app';
import { sha256 } from '../support/archive/archive-fixture';
import { AWKWARD_MAILS } from '../support/archive/awkward-mails';
import { unzip } from '../support/archive/exports';
import { waitFor } from '../support/wait';
import { WebhookReceiver } from '../support/webhooks/receiver';

const USER = { email: 'ada@users.test', password: 'correct horse battery staple' };
const BOX = 'sdk-120@sandbox.mailroom.test';
const SECOND_BOX = 'sdk-second-0@sandbox.mailroom.test';
const ALL = 120 + AWKWARD_MAILS.length;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The main job from sign-up to a second archive, by the SDK alone; each step goes on from the one before. */
describe('The main job, through the SDK', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let folder: string;
  let session: Session;
  let mailroom: Mailroom;
  let accountId: string;
  /** Paths the client has had an answer from, or its beginning. */
  let answered: string[] = [];
  /** Requests whose token is to be one the service does not know. */
  let spoilt = 0;

  const through = async (request: Request): Promise<Response> => {
    if (spoilt > 0 && request.headers.has('authorization')) {
      spoilt -= 1;
      request.headers.set('authorization', 'Bearer no-longer-good');
    }
    const response = await fetch(request);
    answered.push(new URL(request.url).pathname);
    return response;
  };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    app = await startTestApp({ sandbox: { messages: 1 } });
    folder = await mkdtemp(join(tmpdir(), 'mailroom-sdk-'));
    await createMailroom({ baseUrl: app.url }).auth.register({ body: USER });
    mailroom = createMailroom({
      baseUrl: app.url,
      credentials: USER,
      fetch: through,
      onSession: (opened) => (session = opened),
    });
  });

  afterAll(async () => {
    await app?.close();
    await receiver?.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    answered = [];
  });

  /** What the user's browser does with the address: consents, and comes back with the session. */
  const connect = async (mailbox: string): Promise<string> => {
    const consent = new URL((await mailroom.mailboxAccounts.connect({ provider: 'gmail' })).url);
    consent.searchParams.set('login_hint', mailbox);
    const granted = await fetch(consent, { redirect: 'manual' });
    const authorization = `Bearer ${session.access_token}`;
    const { pathname, search } = new URL(granted.headers.get('location')!);
    await fetch(`${app.url}${pathname}${search}`, { redirect: 'manual', headers: { authorization } });
    const { mailboxAccounts } = await mailroom.auth.me();
    return mailboxAccounts.find(({ email }) => email === mailbox)!.id;
  };

  const ids = (q?: string): Promise<string[]> =>
    all(mailroom.mailbox.listMessages.iterate({ accountId, q, maxResults: 50 })).then((messages) =>
      messages.map(({ id }) => id),
    );

  it('should connect a mailbox and list all of it', async () => {
    accountId = await connect(BOX);
    for (const [, raw] of AWKWARD_MAILS)
      app.sandbox.mailbox(BOX).insert(raw, { labelIds: ['INBOX', 'UNREAD'] });
    const { emailAddress, messagesTotal } = await mailroom.mailbox.getProfile({ accountId });
    expect([emailAddress, messagesTotal]).toEqual([BOX, ALL]);
    const listed = await ids('in:anywhere');
    expect(new Set(listed).size).toBe(ALL);
    const [first] = await mailroom.mailbox.getMessages({ accountId, body: { ids: listed.slice(0, 1) } });
    expect(first!.id).toBe(listed[0]);
  });

  it('should change hundreds of messages and follow the job', async () => {
    const unread = await ids('is:unread');
    expect(unread.length).toBeGreaterThanOrEqual(AWKWARD_MAILS.length);
    const news: Job[] = [];
    const { jobId } = await mailroom.mailbox.startBulkOperation({
      accountId,
      body: { action: 'mark_read', messageIds: unread },
    });
    const job = await mailroom.waitForJob(jobId, { onProgress: (now) => news.push(now), timeout: 60_000 });
    expect([job.status, job.processed, job.failed]).toEqual(['completed', unread.length, 0]);
    expect(news.at(-1)).toEqual(job);
    expect(await ids('is:unread')).toEqual([]);
  });

  it('should learn of a job’s end, by webhook and event stream, when everything is archived', async () => {
    const url = receiver.url('/archived');
    const { secret } = await mailroom.webhooks.create({
      body: { name: 'mine', url, events: ['job.completed'] },
    });
    const toasts = mailroom.events('notifications');
    const jobs = mailroom.events('jobs');
    const started = jobs.next();
    const told = toasts.next();
    await waitFor(
      'both streams to be open',
      () => answered.filter((path) => path.endsWith('/events')).length === 2,
    );

    const { jobId } = await mailroom.archive.archiveMessages({ accountId, body: { query: 'in:anywhere' } });
    const job = await mailroom.waitForJob(jobId);
    expect([job.processed, job.failed]).toEqual([ALL, 0]);

    expect((await started).value).toMatchObject({ event: 'job', data: { queue_id: jobId } });
    expect((await told).value).toMatchObject({ event: 'notification', data: { data: { jobId } } });
    await Promise.all([jobs.return(), toasts.return()]);

    const [request] = await waitFor('the webhook to arrive', () => {
      const received = receiver.at('/archived');
      return received.length > 0 && received;
    });
    for (const signature of ['standard', 'body'] as const) {
      const event = await verifyWebhook(request!.body, request!.headers, secret!, { signature });
      expect(event).toMatchObject({
        event: 'job.completed',
        data: { jobId, status: 'completed', processed: ALL },
      });
    }
    const forged = Buffer.concat([request!.body, Buffer.from(' ')]);
    await expect(verifyWebhook(forged, request!.headers, secret!)).rejects.toMatchObject({
      code: 'signature-wrong',
    });
  });

  it('should search the archive and read mails unchanged, whole and in part', async () => {
    const raws = await rawsById();
    expect(raws.size).toBe(ALL);
    const search = { accountId, q: 'plain', sender: 'A@Example.com' };
    const { mails, total } = await mailroom.archive.listMails(search);
    const [found] = mails;
    expect([total, found!.subject]).toEqual([1, 'plain']);
    const call = { accountId, mailId: found!.id };
    const raw = raws.get(found!.id)!;
    expect((await mailroom.archive.getMail(call)).emlContent).toBe(raw.toString());
    const download = await mailroom.archive.downloadEml(call);
    expect([download.contentType, download.size]).toEqual(['message/rfc822', raw.length]);
    expect(Buffer.from(await download.bytes()).equals(raw)).toBe(true);
    const part = await mailroom.archive.downloadEml({ ...call, range: 'bytes=3-9' });
    expect([part.status, Buffer.from(await part.bytes())]).toEqual([206, raw.subarray(3, 10)]);
    expect(await all(mailroom.archive.listThreads.iterate({ accountId, limit: 40 }))).not.toHaveLength(0);
  });

  /** What the provider has, by the ids of the archive. */
  const rawsById = async (): Promise<Map<string, Buffer>> => {
    const mails = await all(mailroom.archive.listMails.iterate({ accountId, limit: 50 }));
    const mailbox = app.sandbox.mailbox(BOX);
    return new Map(mails.map(({ id, mailbox_message_id: message }) => [id, mailbox.raw(message)]));
  };

  interface Manifest {
    readonly mails: readonly { readonly id: string; readonly file: string; readonly sha256: string }[];
  }

  /** Exports mails into a file, as it streams in. */
  const exported = async (
    account: string,
    mailIds: string[],
  ): Promise<{ files: Map<string, Buffer> } & Manifest> => {
    const file = join(folder, `${account}.zip`);
    const download = await mailroom.archive.exportZip({ accountId: account, body: { mailIds } });
    expect(download.filename).toMatch(/^archive-export-[\d-]{10}\.zip$/);
    await writeFile(file, download);
    const { entries } = await unzip(await readFile(file));
    const { mails } = JSON.parse(entries.get('manifest.json')!.toString()) as Manifest;
    return { files: entries, mails };
  };

  it('should export everything as ZIP, byte for byte', async () => {
    const raws = await rawsById();
    const { files, mails } = await exported(accountId, [...raws.keys()]);
    expect(mails).toHaveLength(ALL);
    for (const { id, file, sha256: hash } of mails) {
      expect([file, files.get(file)!.equals(raws.get(id)!)]).toEqual([file, true]);
      expect(hash).toBe(sha256(raws.get(id)!));
    }
  });

  it('should copy everything to another archive through an mbox', async () => {
    const file = join(folder, 'archive.mbox');
    await writeFile(file, await mailroom.import.exportMbox({ accountId }));
    const second = await connect(SECOND_BOX);
    const upload = { content: createReadStream(file), filename: 'archive.mbox' };
    const { jobId } = await mailroom.import.importMbox({ accountId: second, body: { file: upload } });
    const job = await mailroom.waitForJob(jobId);
    expect([job.processed, job.failed]).toEqual([ALL, 0]);
    const imported = await all(mailroom.archive.listMails.iterate({ accountId: second, limit: 100 }));
    const { mails } = await exported(
      second,
      imported.map(({ id }) => id),
    );
    const hashes = mails.map((mail) => mail.sha256);
    expect(hashes).toHaveLength(ALL);
    expect(hashes).toEqual(expect.arrayContaining(AWKWARD_MAILS.map(([, raw]) => sha256(raw))));
  });

  it('should report an error, and the reason of a failed job', async () => {
    const wrong = mailroom.archive.listMails({ accountId, page: 0 });
    await expect(wrong).rejects.toBeInstanceOf(MailroomError);
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      code: 'validation-failed',
      fields: [{ field: 'page' }],
      requestId: expect.stringMatching(/./),
    });
    await expect(mailroom.jobs.get({ jobId: 'scan_pii-999999' })).rejects.toMatchObject({ status: 404 });
    const nobody = { host: '127.0.0.1', port: 1, user: 'a', pass: 'b' };
    const { jobId } = await mailroom.import.importImap({ accountId, body: nobody });
    const failed = mailroom.waitForJob(jobId);
    await expect(failed).rejects.toBeInstanceOf(JobFailed);
    await expect(failed).rejects.toMatchObject({
      code: expect.stringMatching(/^imap-/),
      job: { status: 'failed' },
    });
  });

  it('should return the same job for the same Idempotency-Key', async () => {
    const start = (query: string): Promise<{ jobId: string }> =>
      mailroom.archive.archiveMessages({ accountId, idempotencyKey: 'once', body: { query } });
    const [one, two] = [await start('from:nobody'), await start('from:nobody')];
    expect(two.jobId).toBe(one.jobId);
    await expect(start('from:somebody')).rejects.toMatchObject({ code: 'idempotency-key-reused' });
  });

  it('should refresh tokens once for calls that are refused together, and stay signed in', async () => {
    const before = session.refresh_token;
    spoilt = 4;
    await Promise.all(Array.from({ length: 4 }, () => mailroom.auth.me()));
    expect(answered.filter((path) => path === '/api/auth/refresh')).toHaveLength(1);
    expect(session.refresh_token).not.toBe(before);
    const later = createMailroom({ baseUrl: app.url, credentials: { refreshToken: session.refresh_token } });
    expect((await later.auth.me()).user.email).toBe(USER.email);
  });

  it('should allow with an API key only what its scope covers', async () => {
    const signedIn = createMailroom({ baseUrl: app.url, credentials: USER });
    const { key: apiKey } = await signedIn.apiKeys.create({
      body: { name: 'reader', scope: 'read', accountIds: [accountId] },
    });
    const reader = createMailroom({ baseUrl: app.url, credentials: { apiKey } });
    expect((await reader.archive.listMails({ accountId, limit: 1 })).total).toBe(ALL);
    const refused = reader.archive.archiveMessages({ accountId, body: { query: 'x' } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'api-key-scope' });
    await expect(reader.auth.me()).rejects.toMatchObject({ code: 'session-required' });
    await signedIn.signOut();
  });

  it('should sign in with a second factor', async () => {
    const { secret } = await mailroom.twoFactor.setUp({ body: { password: USER.password } });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recovery_codes: codes } = await mailroom.twoFactor.enable({ body: { totp_code: code } });
    const credentials = { ...USER, totpCode: (attempt: number) => (attempt === 1 ? 'wrong' : codes[0]!) };
    const careful = createMailroom({ baseUrl: app.url, credentials });
    expect((await careful.auth.me()).user.totp_enabled).toBe(true);
    const careless = createMailroom({ baseUrl: app.url, credentials: USER });
    await expect(careless.auth.me()).rejects.toMatchObject({ status: 401, code: 'totp-required' });
  });
});
