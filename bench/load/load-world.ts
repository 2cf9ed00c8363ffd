import { randomBytes } from 'node:crypto';
import type { TestUser } from '../../test/support/test-user';
import { generateArchivedMails } from '../../test/support/archive/generated-mails';
import { BenchEnvironment, PROVIDER_LATENCY_MS, registerUser } from '../bench-environment';
import { SandboxProcess } from '../sandbox-process';
import { ServiceProcess } from '../service-process';
import { lookAtDatabase } from './database';
import type { ReadableAccount } from './reads';

/** `BENCH_LOAD_LONG=1`: more mail, and longer looks at it; takes a quarter of an hour. */
export const IS_LONG = Boolean(process.env.BENCH_LOAD_LONG);
export const MESSAGES = Number(process.env.BENCH_LOAD_MESSAGES ?? (IS_LONG ? 20_000 : 4_000));
export const MAILS = Number(process.env.BENCH_LOAD_MAILS ?? (IS_LONG ? 5_000 : 2_000));
/** `BENCH_LOAD_QUOTA=1`: the provider's quota holds jobs back as it does in life. */
const QUOTA = process.env.BENCH_LOAD_QUOTA
  ? { PROVIDER_UNITS_PER_SECOND: '250', PROVIDER_UNITS_PER_MINUTE: '15000' }
  : undefined;
/** Of which files exist in every account; in that whose archive is scanned, those of all mails do. */
const MAILS_WITH_FILES = Math.min(300, MAILS);
/** Each has one account. A user may only use a few connections to the database at once, so a few users would wait for themselves. */
const USERS = 10;
const SCANNED = 2;
const INDEXING_MS = 900_000;
const PAGE = 500;

export interface LoadAccount extends ReadableAccount {
  readonly user: TestUser;
}

/** How the service runs. */
export interface LoadSetting {
  /** Requests and jobs in processes of their own, on the same machine. */
  readonly isSplit: boolean;
  /** Whether jobs yield to requests. */
  readonly yields: boolean;
}

/** The service as people start it, with users whose mailboxes are indexed and whose archives are filled. */
export class LoadWorld {
  private running: { readonly service: ServiceProcess; readonly worker: ServiceProcess | null } | null = null;

  private constructor(
    private readonly environment: BenchEnvironment,
    private readonly sandbox: SandboxProcess,
    readonly users: TestUser[] = [],
    readonly accounts: LoadAccount[] = [],
  ) {}

  /** That which answers requests. */
  get service(): ServiceProcess {
    return this.running!.service;
  }

  /** That whose archive is scanned: the only one without generated rows. */
  get scanned(): LoadAccount {
    return this.accounts[SCANNED]!;
  }

  static async start(environment: BenchEnvironment): Promise<LoadWorld> {
    const sandbox = await SandboxProcess.start({ messages: MESSAGES, latencyMs: PROVIDER_LATENCY_MS });
    const world = new LoadWorld(environment, sandbox);
    await world.run({ isSplit: false, yields: true });
    world.users.push(
      ...(await Promise.all(Array.from({ length: USERS }, () => registerUser(world.service.url)))),
    );
    const accounts = await Promise.all(
      world.users.map((user, index) => connect(user, `load-${index}-${MESSAGES}@sandbox.mailroom.test`)),
    );
    for (const [index, account] of accounts.entries())
      world.accounts.push(await fill(environment, account, index === SCANNED ? MAILS : MAILS_WITH_FILES));
    return world;
  }

  /** Starts the service anew over the same data. */
  async run({ isSplit, yields }: LoadSetting): Promise<void> {
    await this.end();
    const start = (ROLE: string): Promise<ServiceProcess> =>
      ServiceProcess.start(
        this.environment.environment(this.sandbox, { ROLE, JOBS_YIELD: String(yields), ...QUOTA }),
        { probed: true },
      );
    const service = await start(isSplit ? 'api' : 'all');
    this.running = { service, worker: isSplit ? await start('worker') : null };
    for (const { api } of this.users) api.baseUrl = service.url;
  }

  async stop(): Promise<void> {
    await this.end();
    this.sandbox.stop();
  }

  private async end(): Promise<void> {
    await this.running?.service.stop();
    await this.running?.worker?.stop();
    this.running = null;
  }
}

interface Connected {
  readonly user: TestUser;
  readonly accountId: string;
}

async function connect(user: TestUser, email: string): Promise<Connected> {
  return { user, accountId: await connectIndexed(user, email) };
}

/** Connects a mailbox and waits until all of it is indexed, which the first look at it begins. @returns the account */
export async function connectIndexed(user: TestUser, email: string): Promise<string> {
  const accountId = await user.connect(email);
  const { status } = await user.api.get(`/api/dashboard/${accountId}/stats`);
  if (status !== 200) throw new Error(`stats answered ${status}`);
  const { body } = await user.api.get<{ queue_id: string; type: string }[]>(
    `/api/jobs?accountId=${accountId}`,
  );
  const indexing = body.find(({ type }) => type === 'index_mailbox');
  if (indexing) await completed(user, indexing.queue_id, INDEXING_MS);
  return accountId;
}

async function fill(
  environment: BenchEnvironment,
  { user, accountId }: Connected,
  withFiles: number,
): Promise<LoadAccount> {
  const messageIds = await allMessageIds(user, accountId);
  const { body } = await user.api.post(`/api/archive/${accountId}/archive`, {
    messageIds: messageIds.slice(0, withFiles),
  });
  await completed(user, body.jobId as string, INDEXING_MS);
  const mails = await archivedMails(user, accountId);
  if (withFiles < MAILS) {
    const database = await lookAtDatabase(environment);
    try {
      await generateArchivedMails(database, { accountId, userId: user.id, count: MAILS - withFiles });
    } finally {
      await database.destroy();
    }
  }
  return { user, accountId, messageIds, mails };
}

async function allMessageIds(user: TestUser, accountId: string): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = '';
  do {
    const { body } = await user.api.get(
      `/api/mailbox/${accountId}/messages?maxResults=${PAGE}${pageToken ? `&pageToken=${pageToken}` : ''}`,
    );
    ids.push(...(body.messages as { id: string }[]).map(({ id }) => id));
    pageToken = body.nextPageToken ?? '';
  } while (pageToken);
  return ids;
}

async function archivedMails(user: TestUser, accountId: string): Promise<ReadableAccount['mails']> {
  const { status, body } = await user.api.get(`/api/archive/${accountId}/threads?limit=100`);
  if (status !== 200) throw new Error(`threads answered ${status}`);
  return (body.threads as { id: string; thread_id: string }[]).map((thread) => ({
    id: thread.id,
    threadId: thread.thread_id,
  }));
}

/** @throws Error when the job ends in any other way. @returns its record */
export async function completed(user: TestUser, jobId: string, timeoutMs: number): Promise<any> {
  const job = await user.jobEnd(jobId, timeoutMs);
  if (job.status !== 'completed' && job.status !== 'cancelled')
    throw new Error(`${jobId} ended as ${job.status}: ${job.error}`);
  return job;
}

/** An mbox file whose messages no archive has yet. */
export function freshMbox(messages: number, bytes: number): Buffer {
  const run = randomBytes(6).toString('hex');
  const text = 'A line of text as mails have it, neither long nor short, from time to time.\n';
  const body = text.repeat(Math.ceil(bytes / text.length));
  return Buffer.from(
    Array.from({ length: messages }, (_, number) =>
      [
        'From sender@example.com Thu Nov 24 18:22:48 2022',
        `From: Sender ${number % 500} <sender${number % 500}@example.com>`,
        'To: Me <me@example.com>',
        `Subject: Message ${number} about topic ${number % 977}`,
        `Message-ID: <${number}.${run}@example.com>`,
        `Date: ${new Date(Date.UTC(2015, 0, 1) + number * 60_000).toUTCString()}`,
        '',
        body,
        '',
      ].join('\n'),
    ).join(''),
  );
}
