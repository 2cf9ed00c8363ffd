import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { TestUser } from '../test-user';
import { waitFor } from '../wait';
import { answer, WebhookReceiver } from '../webhooks/receiver';
import {
  completed,
  htmlMessage,
  htmlOf,
  importMessages,
  PASSPHRASE,
  post,
  startImport,
  succeeded,
} from './clients';
import { clientAt, NAMED_HOST, type TenancyHost } from './tenancy-host';

/** The operations of the user whose times are measured. */
export type ActionName =
  | 'archive job'
  | 'page of mails'
  | 'sign-in'
  | 'bulk change to webhook'
  | 'large mail'
  | 'safe HTML'
  | 'export'
  | 'unlock'
  | 'mbox import'
  | 'PII scan'
  | 'newsletter scan'
  | 'rule run'
  | 'encryption'
  | 'purge';

/** Taken under every attack. */
export const USUAL_ACTIONS: readonly ActionName[] = [
  'archive job',
  'page of mails',
  'sign-in',
  'bulk change to webhook',
];

export interface Times {
  /** Milliseconds, of what succeeded. */
  readonly ms: readonly number[];
  readonly failures: readonly string[];
}

/** The time after which an operation has failed: many times what any of them takes alone. */
const PATIENCE_MS = 20_000;
const MAILBOX = 'victim-20@sandbox.mailroom.test';
const MESSAGES_PER_JOB = 5;
const SMALL_MAILS = 60;
const LARGE_BYTES = 2 * 1024 * 1024;
const HOOK = '/victim';

/** A user with some mail, who does ordinary things. */
export class Victim {
  private number = 0;
  private accountId = '';
  /** The id of an account with encrypted mail. */
  private vaultId = '';
  private ruleId = '';
  private largeMailId = '';
  private mailIds: readonly string[] = [];
  private mailbox!: SandboxMailbox;
  private readonly delivered = new Set<string>();
  private readonly purges = new Set<string>();

  private constructor(
    private readonly host: TenancyHost,
    private readonly user: TestUser,
    private readonly receiver: WebhookReceiver,
  ) {}

  static async settle(host: TenancyHost): Promise<Victim> {
    const victim = new Victim(host, await host.user('victim'), await WebhookReceiver.start());
    await victim.moveIn();
    return victim;
  }

  /** Does each of these so many times, in turns; what has failed is not tried again. */
  async times(actions: readonly ActionName[], rounds: number): Promise<Map<ActionName, Times>> {
    const times = new Map(actions.map((name) => [name, { ms: [] as number[], failures: [] as string[] }]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { ms, failures }] of times) {
        if (failures.length > 0) continue;
        try {
          ms.push(await inTime(this.actions[name]()));
        } catch (error) {
          failures.push((error as Error).message);
        }
      }
    }
    return times;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private readonly actions: Readonly<Record<ActionName, () => Promise<number>>> = {
    'archive job': () => {
      const messageIds = this.newMessages();
      return this.timedJob(() => post(this.user, `/api/archive/${this.accountId}/archive`, { messageIds }));
    },
    'page of mails': () => this.timedGet(`/api/archive/${this.accountId}/mails?limit=50&q=words`),
    'sign-in': () =>
      timed(async () => {
        const { email, password } = this.user;
        const request = { headers: clientAt.victim };
        succeeded('Signing in', await this.user.api.post('/api/auth/login', { email, password }, request));
      }),
    'bulk change to webhook': () => {
      const body = { action: 'mark_read', messageIds: this.newMessages() };
      return timed(async () => {
        const { jobId } = await post(this.user, `/api/mailbox/${this.accountId}/messages/bulk`, body);
        await waitFor(`the webhook of ${jobId}`, () => this.delivered.has(jobId as string), PATIENCE_MS);
      });
    },
    'large mail': () => this.timedGet(`/api/archive/${this.accountId}/mails/${this.largeMailId}`),
    'safe HTML': () => this.timedGet(`/api/archive/${this.accountId}/mails/${this.largeMailId}/safe-html`),
    export: () =>
      timed(() => post(this.user, `/api/archive/${this.accountId}/export-zip`, { mailIds: this.mailIds })),
    unlock: () => timed(() => post(this.user, '/api/privacy/encryption/verify', { passphrase: PASSPHRASE })),
    'mbox import': () => {
      const messages = Array.from({ length: MESSAGES_PER_JOB }, () => htmlMessage(htmlOf(2_000)));
      return timed(async () => {
        await completed(this.user, await startImport(this.user, this.accountId, messages), PATIENCE_MS);
      });
    },
    'PII scan': () => this.timedJob(() => post(this.user, `/api/privacy/${this.accountId}/pii/scan`)),
    'newsletter scan': () => this.timedJob(() => post(this.user, `/api/unsubscribe/${this.accountId}/scan`)),
    'rule run': () => this.timedJob(() => post(this.user, `/api/rules/${this.accountId}/${this.ruleId}/run`)),
    encryption: () =>
      this.timedJob(() =>
        post(this.user, `/api/privacy/${this.vaultId}/encryption/encrypt`, { passphrase: PASSPHRASE }),
      ),
    purge: async () => {
      const accountId = await this.user.connect(`purged${this.next()}-1@sandbox.mailroom.test`);
      return timed(async () => {
        const path = `/api/auth/mailbox/${accountId}?purge=true`;
        succeeded(path, await this.user.api.delete(path));
        await completed(this.user, await this.newPurge(), PATIENCE_MS);
      });
    },
  };

  private async moveIn(): Promise<void> {
    this.accountId = await this.user.connect(MAILBOX);
    this.mailbox = this.host.sandbox.mailbox(MAILBOX);
    const small = Array.from({ length: SMALL_MAILS }, () => htmlMessage(htmlOf(4_000)));
    await importMessages(this.user, this.accountId, [...small, htmlMessage(htmlOf(LARGE_BYTES))]);
    const { mails } = succeeded(
      'The list',
      await this.user.api.get(`/api/archive/${this.accountId}/mails?limit=100`),
    ) as { mails: { id: string; size_bytes: number }[] };
    const bySize = [...mails].sort((one, other) => other.size_bytes - one.size_bytes);
    this.largeMailId = bySize[0]!.id;
    this.mailIds = bySize.slice(1, 20).map(({ id }) => id);
    this.vaultId = await this.user.connect('vault-1@sandbox.mailroom.test');
    await importMessages(this.user, this.vaultId, small.slice(0, MESSAGES_PER_JOB));
    const rule = await post(this.user, `/api/rules/${this.accountId}`, {
      name: 'Sweep',
      conditions: [{ field: 'subject', operator: 'contains', value: 'sweepable' }],
      action: { type: 'trash' },
    });
    this.ruleId = rule.id as string;
    await post(this.user, '/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    const url = new URL(
      this.receiver.on(HOOK, (response, request) => {
        const { data } = JSON.parse(request.body.toString()) as { data: { jobId: string } };
        this.delivered.add(data.jobId);
        answer(204)(response, request);
      }),
    );
    url.hostname = NAMED_HOST;
    await post(this.user, '/api/webhooks', { name: 'Ends', url: url.href, events: ['job.completed'] });
  }

  private next(): number {
    this.number += 1;
    return this.number;
  }

  private newMessages(): string[] {
    return Array.from({ length: MESSAGES_PER_JOB }, () =>
      this.mailbox.insert(htmlMessage(htmlOf(2_000)).replaceAll('\n', '\r\n'), {
        labelIds: ['INBOX', 'UNREAD'],
      }),
    );
  }

  private timedGet(path: string): Promise<number> {
    return timed(async () => succeeded(path, await this.user.api.get(path)));
  }

  private timedJob(start: () => Promise<{ jobId: string }>): Promise<number> {
    return timed(async () => completed(this.user, (await start()).jobId, PATIENCE_MS));
  }

  /** The job that has been started last. */
  private async newPurge(): Promise<string> {
    const jobs: { type: string; queue_id: string }[] = succeeded(
      'The jobs',
      await this.user.api.get('/api/jobs?limit=20'),
    );
    const purge = jobs.find(({ type, queue_id }) => type === 'purge_account' && !this.purges.has(queue_id));
    if (!purge) throw new Error('No purge was started');
    this.purges.add(purge.queue_id);
    return purge.queue_id;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function inTime(work: Promise<number>): Promise<number> {
  const abortion = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: abortion.signal }).then(() => {
    throw new Error(`It took more than ${PATIENCE_MS} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    abortion.abort();
    late.catch(() => undefined);
  }
}
