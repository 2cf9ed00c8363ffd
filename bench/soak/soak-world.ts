import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { TestImapServer } from '../../test/support/imap/imap-server';
import type { TestUser } from '../../test/support/test-user';
import { BenchEnvironment, registerUser } from '../bench-environment';
import { lookAtDatabase } from '../load/database';
import { connectIndexed } from '../load/load-world';
import type { ReadableAccount } from '../load/reads';
import { SandboxProcess } from '../sandbox-process';
import { ServiceProcess } from '../service-process';
import { EventReceiver } from './event-receiver';

export const PASSPHRASE = 'correct horse battery staple';
/** Mail this old is deleted from archives by every user's policy. */
export const KEPT_DAYS = 400;
/** Messages each mailbox has to begin with; of these the newest are archived, read, and never changed. */
export const MESSAGES = 1_000;
const ARCHIVED = 200;
const USERS = 3;
const ACCOUNTS_PER_USER = 2;
const EVENTS = ['job.completed', 'job.failed', 'rule.executed', 'quota.warning', 'integrity.failed'];

export interface SoakAccount extends ReadableAccount {
  readonly user: TestUser;
  readonly email: string;
  /** Of the same user. */
  readonly otherAccountId: string;
  readonly encrypts: boolean;
}

/** A service, what it talks to, and users with accounts whose mail is partly archived. The first is an administrator. */
export class SoakWorld {
  private constructor(
    readonly environment: BenchEnvironment,
    readonly service: ServiceProcess,
    readonly sandbox: SandboxProcess,
    readonly imap: TestImapServer,
    readonly receiver: EventReceiver,
    readonly database: DataSource,
    readonly logFile: string,
    readonly users: readonly TestUser[],
    readonly accounts: readonly SoakAccount[],
  ) {}

  static async start(): Promise<SoakWorld> {
    const environment = await BenchEnvironment.start();
    const sandbox = await SandboxProcess.start({ messages: MESSAGES, latencyMs: 20 });
    const imap = await TestImapServer.start();
    const receiver = await EventReceiver.start();
    const logFile = join(environment.directory, 'service.log');
    const service = await ServiceProcess.start(environment.environment(sandbox), {
      probed: true,
      output: openSync(logFile, 'a'),
    });
    const users: TestUser[] = [];
    const accounts: SoakAccount[] = [];
    for (let number = 0; number < USERS; number += 1) {
      const user = await registerUser(service.url);
      users.push(user);
      await prepareUser(user, receiver);
      accounts.push(...(await connectAccounts(user, number)));
    }
    const database = await lookAtDatabase(environment);
    return new SoakWorld(environment, service, sandbox, imap, receiver, database, logFile, users, accounts);
  }

  get administrator(): TestUser {
    return this.users[0]!;
  }

  async stop(): Promise<number | null> {
    await this.database.destroy();
    const code = await this.service.stop();
    this.sandbox.stop();
    await this.imap.stop();
    await this.receiver.close();
    await this.environment.stop();
    return code;
  }
}

async function prepareUser(user: TestUser, receiver: EventReceiver): Promise<void> {
  await expectStatus(
    201,
    user.api.post('/api/webhooks', { name: 'Soak', url: receiver.url, events: EVENTS }),
  );
  await expectStatus(201, user.api.post('/api/retention', { name: 'Old mail', maxAgeDays: KEPT_DAYS }));
  await expectStatus(200, user.api.post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE }));
}

/** Only the last user's archives are encrypted: what is can be read with a passphrase only. */
async function connectAccounts(user: TestUser, number: number): Promise<SoakAccount[]> {
  const emails = Array.from(
    { length: ACCOUNTS_PER_USER },
    (_, index) => `soak-${number}-${index}-${MESSAGES}@sandbox.mailroom.test`,
  );
  const ids: string[] = [];
  for (const email of emails) ids.push(await connectIndexed(user, email));
  return Promise.all(
    ids.map(async (accountId, index) => {
      const encrypts = number === USERS - 1;
      const { messageIds, mails } = await archiveNewest(user, accountId);
      return {
        user,
        accountId,
        email: emails[index]!,
        otherAccountId: ids[(index + 1) % ids.length]!,
        encrypts,
        messageIds,
        mails: encrypts ? [] : mails,
      };
    }),
  );
}

async function archiveNewest(
  user: TestUser,
  accountId: string,
): Promise<Pick<ReadableAccount, 'messageIds' | 'mails'>> {
  const { body } = await expectStatus(
    200,
    user.api.get(`/api/mailbox/${accountId}/messages?maxResults=${ARCHIVED}&q=newer_than:300d`),
  );
  const messageIds = (body.messages as { id: string }[]).map(({ id }) => id);
  const started = await expectStatus(202, user.api.post(`/api/archive/${accountId}/archive`, { messageIds }));
  const job = await user.jobEnd(started.body.jobId as string, 300_000);
  if (job.status !== 'completed') throw new Error(`archiving ended as ${job.status}: ${job.error}`);
  const page = await expectStatus(200, user.api.get(`/api/archive/${accountId}/threads?limit=100`));
  const mails = (page.body.threads as { id: string; thread_id: string }[]).map((thread) => ({
    id: thread.id,
    threadId: thread.thread_id,
  }));
  return { messageIds, mails };
}

/** @throws Error that says what was answered instead */
export async function expectStatus<T extends { status: number; bytes: Buffer }>(
  status: number,
  request: Promise<T>,
): Promise<T> {
  const answer = await request;
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${answer.bytes.toString().slice(0, 300)}`);
  return answer;
}
