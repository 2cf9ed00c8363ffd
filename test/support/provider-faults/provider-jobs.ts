import { ArchiveStores } from '../../../src/archive/files/archive-store.port';
import { KeepCopies } from '../../../src/keep/continuous/copying/keep-copies.job';
import type { JobNotification } from '../../../src/platform/jobs/job-definition';
import { JobsService } from '../../../src/platform/jobs/jobs.service';
import { IndexMailbox } from '../../../src/mailbox/index/index-jobs';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { TestApp } from '../app';
import { sha256 } from '../archive/archive-fixture';
import type { TestUser } from '../test-user';

export const MESSAGES = 12;
const SENDER = 'news@letters.test';

const newsletter = (number: number): string =>
  [
    `From: Letters <${SENDER}>`,
    'To: me@home.test',
    `Subject: Letter ${number}`,
    `Message-ID: <letter-${number}@letters.test>`,
    'List-Unsubscribe: <https://letters.test/leave>',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>Letter ${number}</p><img src="https://letters.us1.list-manage.com/track/open.php?u=1" width="1" height="1">`,
    '',
  ].join('\r\n');

/** A mailbox of `MESSAGES` newsletters with trackers, all unread and in the inbox. */
export class FaultBox {
  private static count = 0;
  ruleId = '';
  /** The job to undo. */
  bulkJobId = '';
  /** The plan to confirm. */
  plan: { readonly id: string; readonly digest: string } = { id: '', digest: '' };
  /** The restore to start: its messages are only in the archive. */
  restoreId = '';

  private constructor(
    readonly app: TestApp,
    readonly user: TestUser,
    readonly accountId: string,
    readonly mailbox: SandboxMailbox,
    readonly ids: readonly string[],
  ) {}

  static async connect(app: TestApp, user: TestUser): Promise<FaultBox> {
    const email = `faulty${(FaultBox.count += 1)}-0@sandbox.mailroom.test`;
    const mailbox = app.sandbox.mailbox(email);
    const ids = Array.from({ length: MESSAGES }, (_, number) =>
      mailbox.insert(newsletter(number), { labelIds: ['INBOX', 'UNREAD'] }),
    );
    return new FaultBox(app, user, await user.connect(email), mailbox, ids);
  }

  /** Provider calls of this mailbox, by endpoint. */
  calls(endpoint: string): number {
    return this.app.sandbox.stats.byMailbox[this.mailbox.email]?.[endpoint] ?? 0;
  }

  /** Messages that have, or have not, a label. */
  having(label: string): number {
    return this.mailbox.ids().filter((id) => this.mailbox.labels(id).includes(label)).length;
  }

  async count(sql: string): Promise<number> {
    const [row] = await this.app.dataSource.query(`SELECT count(*)::int AS count FROM ${sql}`, [
      this.accountId,
    ]);
    return row.count as number;
  }

  async status(): Promise<string> {
    const { body } = await this.user.api.get('/api/auth/me');
    return body.mailboxAccounts.find(({ id }: { id: string }) => id === this.accountId).status as string;
  }

  /** Notifications of the end of a job, by their type. */
  async told(jobId: string): Promise<string[]> {
    const rows: { type: string }[] = await this.app.dataSource.query(
      `SELECT type FROM notifications WHERE user_id = $1 AND data->>'jobId' = $2`,
      [this.user.id, jobId],
    );
    return rows.map(({ type }) => type);
  }

  async errorCode(jobId: string): Promise<string | null> {
    const [row] = await this.app.dataSource.query(
      `SELECT error_code FROM jobs WHERE type || '-' || number = $1`,
      [jobId],
    );
    return row.error_code as string | null;
  }
}

/** A kind of job that calls the provider, started over its route where it has one. */
export interface ProviderJob {
  readonly name: string;
  /** The calls of a run, at which the faults occur. */
  readonly endpoints: readonly string[];
  /** A call that changes the mailbox, and how often a run makes it, unless one call is several requests. */
  readonly writes?: readonly [endpoint: string, times?: number];
  /** The result of a successful run. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Its effects, once it went well. */
  readonly effects: Readonly<Record<string, number>>;
  readonly announced: JobNotification;
  /** While the provider is well. */
  prepare?(box: FaultBox): Promise<void>;
  start(box: FaultBox): Promise<string>;
  effectsOf(box: FaultBox): Promise<Record<string, number>>;
}

async function post(box: FaultBox, path: string, body?: unknown): Promise<any> {
  const answer = await box.user.api.post(path, body);
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
  return answer.body;
}

const started = async (box: FaultBox, path: string, body?: unknown): Promise<string> =>
  (await post(box, path, body)).jobId as string;

/** Archived mails, and how many of them are their messages, byte by byte. */
async function archived(box: FaultBox): Promise<Record<string, number>> {
  const rows: any[] = await box.app.dataSource.query(
    'SELECT mailbox_message_id, storage, storage_key FROM archived_mails WHERE account_id = $1',
    [box.accountId],
  );
  const stores = box.app.app.get(ArchiveStores);
  let sound = 0;
  for (const { mailbox_message_id: id, storage, storage_key: key } of rows) {
    const bytes = await (await stores.find(storage as string)).read(key as string);
    if (sha256(bytes) === sha256(box.mailbox.raw(id as string))) sound += 1;
  }
  return { rows: rows.length, sound };
}
const archiveAll = async (box: FaultBox): Promise<void> => {
  const jobId = await started(box, `/api/archive/${box.accountId}/archive`, { messageIds: box.ids });
  await box.user.jobEnd(jobId);
};

export const PROVIDER_JOBS: readonly ProviderJob[] = [
  {
    name: 'bulk_operation',
    endpoints: ['messages.batchModify', 'history.list', 'getProfile'],
    writes: ['messages.batchModify', 1],
    result: { changed: MESSAGES, alreadyDone: 0, notFound: 0, refused: 0 },
    effects: { unread: 0, all: MESSAGES },
    announced: 'every-end',
    start: (box) =>
      started(box, `/api/mailbox/${box.accountId}/messages/bulk`, {
        action: 'mark_read',
        messageIds: box.ids,
      }),
    effectsOf: async (box) => ({ unread: box.having('UNREAD'), all: box.mailbox.ids().length }),
  },
  {
    name: 'undo_changes',
    endpoints: ['messages.batchModify', 'history.list'],
    writes: ['messages.batchModify', 1],
    result: { restored: MESSAGES, alreadyBack: 0, changedSince: 0, gone: 0, refused: 0, evidence: 'history' },
    effects: { trashed: 0, inInbox: MESSAGES },
    announced: 'every-end',
    prepare: async (box) => {
      box.bulkJobId = await started(box, `/api/mailbox/${box.accountId}/messages/bulk`, {
        action: 'trash',
        messageIds: box.ids,
      });
      await box.user.jobEnd(box.bulkJobId);
    },
    start: (box) => started(box, `/api/jobs/${box.bulkJobId}/undo`),
    effectsOf: async (box) => ({ trashed: box.having('TRASH'), inInbox: box.having('INBOX') }),
  },
  {
    name: 'archive_mails',
    endpoints: ['messages.list', 'messages.get'],
    result: { archived: MESSAGES, skipped: 0, failed: 0 },
    effects: { rows: MESSAGES, sound: MESSAGES },
    announced: 'every-end',
    start: (box) => started(box, `/api/archive/${box.accountId}/archive`, { query: 'in:inbox' }),
    effectsOf: archived,
  },
  {
    name: 'keep_copies',
    endpoints: ['messages.get'],
    // Copies that a killed attempt made after its last checkpoint are not counted.
    result: { isFull: false },
    effects: { rows: MESSAGES, sound: MESSAGES, pending: 0 },
    announced: 'failure',
    prepare: async (box) => {
      const path = `/api/archiving/${box.accountId}`;
      const { body } = await box.user.api.put(path, { mode: 'watch' });
      await box.user.jobEnd(body.jobId as string);
      await box.user.api.put(path, { mode: 'keep' });
    },
    start: async (box) => {
      const owner = { userId: box.user.id, accountId: box.accountId };
      return (await box.app.app.get(JobsService).start(KeepCopies, owner, {})).jobId;
    },
    effectsOf: async (box) => ({
      ...(await archived(box)),
      pending: await box.count(`ledger_messages WHERE account_id = $1 AND class <> 'archived'`),
    }),
  },
  {
    name: 'reconcile_mailbox',
    endpoints: ['messages.list', 'labels.list', 'history.list', 'getProfile'],
    result: { messages: MESSAGES, gone: 0, exact: true },
    effects: { rows: MESSAGES, listings: 0 },
    announced: 'never',
    prepare: async (box) => {
      const { body } = await box.user.api.put(`/api/archiving/${box.accountId}`, { mode: 'watch' });
      await box.user.jobEnd(body.jobId as string);
    },
    start: (box) => started(box, `/api/archiving/${box.accountId}/reconcile`),
    effectsOf: async (box) => ({
      rows: await box.count(`ledger_messages WHERE account_id = $1 AND class = 'pending'`),
      listings: await box.count('mailbox_listings WHERE account_id = $1'),
    }),
  },
  {
    name: 'plan_offload',
    endpoints: ['messages.list', 'messages.get', 'history.list', 'getProfile'],
    result: { selected: MESSAGES, offloadable: MESSAGES },
    effects: { ready: MESSAGES, plans: 1 },
    announced: 'failure',
    prepare: archiveAll,
    start: (box) =>
      started(box, `/api/offload/${box.accountId}/plans`, {
        select: { query: 'in:inbox' },
        allow: { unread: true },
      }),
    effectsOf: async (box) => ({
      ready: await box.count(`offload_items WHERE account_id = $1 AND state = 'ready'`),
      plans: await box.count(`offload_plans WHERE account_id = $1 AND status = 'ready'`),
    }),
  },
  {
    name: 'offload_messages',
    endpoints: ['messages.get', 'messages.batchModify', 'history.list'],
    writes: ['messages.batchModify', 1],
    result: { trashed: MESSAGES, blocked: 0, left: 0 },
    effects: { trashed: MESSAGES, inInbox: 0, receipts: 1, held: 0 },
    announced: 'every-end',
    prepare: async (box) => {
      await archiveAll(box);
      const { planId, jobId } = await post(box, `/api/offload/${box.accountId}/plans`, {
        select: { messageIds: box.ids },
        allow: { unread: true },
      });
      await box.user.jobEnd(jobId as string);
      box.plan = (await box.user.api.get(`/api/offload/${box.accountId}/plans/${planId}`)).body;
    },
    start: (box) =>
      started(box, `/api/offload/${box.accountId}/plans/${box.plan.id}/confirm`, {
        digest: box.plan.digest,
        count: MESSAGES,
      }),
    effectsOf: async (box) => ({
      trashed: box.having('TRASH'),
      inInbox: box.having('INBOX'),
      receipts: await box.count('offload_receipts WHERE account_id = $1'),
      held: await box.count(
        'archive_holds held JOIN archived_mails mail ON mail.id = held.mail_id WHERE mail.account_id = $1',
      ),
    }),
  },
  {
    name: 'restore_mails',
    endpoints: ['messages.insert', 'messages.list', 'messages.get', 'labels.list', 'getProfile'],
    writes: ['messages.insert'],
    result: { inserted: MESSAGES, alreadyThere: 0, failed: 0 },
    effects: { all: MESSAGES, different: MESSAGES },
    announced: 'every-end',
    prepare: async (box) => {
      await box.user.jobEnd(
        await started(box, `/api/archive/${box.accountId}/archive`, { query: 'in:inbox' }),
      );
      for (const id of box.ids) box.mailbox.remove(id);
      const plan = { select: { all: true }, target: { accountId: box.accountId } };
      const { restoreId, jobId } = await post(box, `/api/restore/${box.accountId}`, plan);
      await box.user.jobEnd(jobId as string);
      box.restoreId = restoreId as string;
    },
    start: (box) => started(box, `/api/restore/${box.accountId}/${box.restoreId}/start`),
    effectsOf: async (box) => {
      const ids = box.mailbox.ids();
      return { all: ids.length, different: new Set(ids.map((id) => sha256(box.mailbox.raw(id)))).size };
    },
  },
  {
    name: 'index_mailbox',
    endpoints: ['messages.list', 'messages.get', 'history.list', 'getProfile', 'labels.list'],
    result: { complete: true, messages: MESSAGES },
    effects: { indexed: MESSAGES },
    announced: 'never',
    start: async (box) => {
      const owner = { userId: box.user.id, accountId: box.accountId };
      return (await box.app.app.get(JobsService).start(IndexMailbox, owner, {})).jobId;
    },
    effectsOf: async (box) => ({
      indexed: await box.count('mailbox_messages WHERE account_id = $1 AND NOT stale'),
    }),
  },
  {
    name: 'run_rule',
    endpoints: ['messages.list', 'messages.batchModify', 'history.list', 'getProfile', 'messages.get'],
    writes: ['messages.batchModify', 1],
    result: {
      found: MESSAGES,
      matched: MESSAGES,
      changed: MESSAGES,
      alreadyDone: 0,
      failed: 0,
      remaining: 0,
    },
    effects: { trashed: MESSAGES, inInbox: 0 },
    announced: 'every-end',
    prepare: async (box) => {
      const rule = await post(box, `/api/rules/${box.accountId}`, {
        name: 'Letters',
        conditions: [{ field: 'from', operator: 'contains', value: SENDER }],
        action: { type: 'trash' },
      });
      box.ruleId = rule.id as string;
    },
    start: (box) => started(box, `/api/rules/${box.accountId}/${box.ruleId}/run`),
    effectsOf: async (box) => ({ trashed: box.having('TRASH'), inInbox: box.having('INBOX') }),
  },
  {
    name: 'scan_unsubscribe',
    endpoints: ['messages.list', 'messages.get', 'history.list', 'getProfile', 'labels.list'],
    result: { newsletters: 1, messages: MESSAGES, scanned: MESSAGES, complete: true },
    effects: { indexed: MESSAGES },
    announced: 'every-end',
    start: (box) => started(box, `/api/unsubscribe/${box.accountId}/scan`),
    effectsOf: async (box) => ({
      indexed: await box.count('mailbox_messages WHERE account_id = $1 AND NOT stale'),
    }),
  },
  {
    name: 'scan_tracking',
    endpoints: ['messages.list', 'messages.get', 'history.list', 'getProfile'],
    result: { scanned: MESSAGES, tracked: MESSAGES, failed: 0 },
    effects: { findings: MESSAGES },
    announced: 'every-end',
    start: (box) => started(box, `/api/privacy/${box.accountId}/tracking/scan`, { maxMessages: 500 }),
    effectsOf: async (box) => ({ findings: await box.count('tracking_scans WHERE account_id = $1') }),
  },
];
