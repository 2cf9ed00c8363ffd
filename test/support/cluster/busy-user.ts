import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import { sha256 } from '../archive/archive-fixture';
import { eml } from '../archive/eml';
import { decryptByTheBook, PASSPHRASE } from '../encryption/encrypted-archive';
import type { TestUser } from '../test-user';
import type { Cluster } from './cluster';
import type { PatientClient } from './spread-client';

/** A job that was started, and how many items it has to say it has processed; null: whatever it finds. */
export interface StartedWork {
  readonly jobId: string;
  readonly processed: number | null;
}

export interface RoundSize {
  /** New in the mailbox. */
  readonly messages: number;
  /** The messages in the import file. */
  readonly imported: number;
}

interface Account {
  readonly id: string;
  readonly mailbox: SandboxMailbox;
}

/** The concurrent, repeated work of a user, and its expected results. */
export class BusyUser {
  /** Messages of the mailbox that are archived and labelled. */
  private readonly fresh: string[] = [];
  private readonly swept = new Set<string>();
  /** Messages of the files, by Message-ID. */
  private readonly imported = new Map<string, Buffer>();

  private constructor(
    private readonly cluster: Cluster,
    readonly user: TestUser,
    private readonly live: Account,
    private readonly other: Account,
    private readonly labelId: string,
    private readonly ruleId: string,
  ) {}

  /** @param hook the address of a webhook for the ends of the user's jobs */
  static async create(cluster: Cluster, user: TestUser, hook: string): Promise<BusyUser> {
    const accounts: Account[] = [];
    for (const kind of ['live', 'other']) {
      const email = `${kind}${user.id.slice(-12)}-0@sandbox.mailroom.test`;
      accounts.push({ id: await user.connect(email), mailbox: cluster.sandbox.mailbox(email) });
    }
    const [live, other] = accounts as [Account, Account];
    const create = async (path: string, body: object): Promise<any> => {
      const answer = await user.api.post(path, body);
      if (answer.status >= 300)
        throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
      return answer.body;
    };
    const label = await create(`/api/mailbox/${live.id}/labels`, { name: 'Seen to' });
    const rule = await create(`/api/rules/${live.id}`, {
      name: 'Sweep',
      conditions: [{ field: 'subject', operator: 'contains', value: 'sweepable' }],
      action: { type: 'trash' },
    });
    await create('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    await create('/api/webhooks', { name: 'Ends', url: hook, events: ['job.completed', 'job.failed'] });
    return new BusyUser(cluster, user, live, other, label.id as string, rule.id as string);
  }

  private get api(): PatientClient {
    return this.user.api as PatientClient;
  }

  /** Starts everything at once. */
  async start(round: number, size: RoundSize): Promise<StartedWork[]> {
    const { live, other } = this;
    const messageIds = this.newMessages(round, size.messages);
    const bulk = { action: 'label', labelId: this.labelId, messageIds };
    return Promise.all([
      this.post(`/api/archive/${live.id}/archive`, { messageIds }, messageIds.length),
      this.post(`/api/mailbox/${live.id}/messages/bulk`, bulk, messageIds.length),
      this.upload(this.newFile(round, size.imported), size.imported),
      this.post(`/api/rules/${live.id}/${this.ruleId}/run`),
      this.post(`/api/privacy/${other.id}/encryption/encrypt`, { passphrase: PASSPHRASE }),
      this.post(`/api/privacy/${live.id}/pii/scan`),
      this.post(`/api/privacy/${live.id}/tracking/scan`),
      this.post(`/api/unsubscribe/${live.id}/scan`),
    ]);
  }

  /** Reads as the user during the work. An export may be cut off, but a complete one has to be correct. */
  async read(): Promise<void> {
    const { live } = this;
    const paths = [
      '/api/auth/me',
      '/api/jobs',
      `/api/archive/${live.id}/mails?limit=5`,
      '/api/notifications',
    ];
    for (const path of paths) await this.api.get(path);
    await this.api.post(`/api/import/${live.id}/export-mbox`, {});
  }

  /** Does what is still to be done once everything else has ended: mail that came after its encryption had begun. */
  finish(): Promise<StartedWork[]> {
    const { live, other } = this;
    return Promise.all([
      this.post(`/api/privacy/${other.id}/encryption/encrypt`, { passphrase: PASSPHRASE }),
      this.post(`/api/rules/${live.id}/${this.ruleId}/run`),
      this.post(`/api/privacy/${live.id}/pii/scan`),
    ]);
  }

  /** The deviations from the expected results. */
  async problems(): Promise<string[]> {
    const { live, other, fresh, imported } = this;
    const { mailbox } = live;
    const archived = new Map(fresh.map((id) => [id, mailbox.raw(id)]));
    const [first, second, pii] = await Promise.all([
      this.archiveProblems(live, archived, false),
      this.archiveProblems(other, imported, true),
      this.cluster.query('SELECT count(*)::int AS mails FROM pii_findings WHERE account_id = $1', [live.id]),
    ]);
    const unlabelled = fresh.filter((id) => !mailbox.labels(id).includes(this.labelId)).length;
    const wronglySwept = fresh.filter(
      (id) => mailbox.labels(id).includes('TRASH') !== this.swept.has(id),
    ).length;
    const problems = [...first, ...second];
    if (unlabelled > 0) problems.push(`${unlabelled} of ${fresh.length} without the label`);
    if (wronglySwept > 0) problems.push(`${wronglySwept} of ${fresh.length} swept wrongly`);
    if (pii[0].mails !== fresh.length) problems.push(`${pii[0].mails} findings in ${fresh.length} mails`);
    return problems;
  }

  /** Keys of the files that rows name. */
  async namedFiles(): Promise<string[]> {
    const rows = await this.cluster.query(
      'SELECT storage_key FROM archived_mails WHERE account_id = ANY($1)',
      [[this.live.id, this.other.id]],
    );
    return rows.map((row) => row.storage_key as string);
  }

  private async archiveProblems(
    { id, mailbox }: Account,
    expected: ReadonlyMap<string, Buffer>,
    encrypted: boolean,
  ): Promise<string[]> {
    const rows = await this.cluster.query('SELECT * FROM archived_mails WHERE account_id = $1', [id]);
    const problems: string[] = [];
    const problem = (what: string): unknown => problems.push(`${mailbox.email}: ${what}`);
    if (rows.length !== expected.size) problem(`${rows.length} rows of ${expected.size}`);
    for (const row of rows) {
      const bytes = await readFile(join(this.cluster.archiveDir, row.storage_key as string)).catch(
        () => null,
      );
      if (!bytes) problem(`no file ${row.storage_key}`);
      else if (sha256(bytes) !== row.sha256) problem(`another hash ${row.storage_key}`);
      else if (row.is_encrypted !== encrypted)
        problem(`${encrypted ? 'plain' : 'encrypted'} ${row.storage_key}`);
      else if (!expected.get(row.mailbox_message_id)?.equals(encrypted ? decryptByTheBook(bytes) : bytes))
        problem(`other bytes ${row.storage_key}`);
    }
    const [totals] = await this.cluster.query(
      'SELECT mails, encrypted FROM archive_totals WHERE account_id = $1',
      [id],
    );
    if (totals?.mails !== expected.size || totals?.encrypted !== (encrypted ? expected.size : 0))
      problem(`totals ${JSON.stringify(totals)}`);
    return problems;
  }

  private newMessages(round: number, count: number): string[] {
    const ids = Array.from({ length: count }, (_, n) => {
      const isSwept = n % 3 === 0;
      const raw = eml(
        `From: Sender ${n % 7} <sender${n % 7}@shop.test>`,
        `Subject: ${isSwept ? 'sweepable' : 'ordinary'} ${round} ${n}`,
        `Message-ID: <${round}.${n}.${randomBytes(6).toString('hex')}@shop.test>`,
        ...['List-Unsubscribe: <https://shop.test/leave>', 'Content-Type: text/html', ''],
        '<p>IBAN FR76 3000 6000 0112 3456 7890 189</p><img src="https://shop.test/open" width="1" height="1">',
        randomBytes(1_500)
          .toString('base64')
          .replace(/(.{76})/g, '$1\r\n'),
      );
      const id = this.live.mailbox.insert(raw, { labelIds: ['INBOX', 'UNREAD'] });
      if (isSwept) this.swept.add(id);
      return id;
    });
    this.fresh.push(...ids);
    return ids;
  }

  private newFile(round: number, count: number): Buffer {
    const messages = Array.from({ length: count }, (_, n) => {
      const messageId = `<${round}.${n}.${randomBytes(6).toString('hex')}@old.test>`;
      const text = randomBytes(1_000)
        .toString('base64')
        .replace(/(.{76})/g, '$1\r\n');
      const raw = eml(
        'From: old@old.test',
        `Subject: Old ${round} ${n}`,
        `Message-ID: ${messageId}`,
        '',
        text,
        '',
      );
      this.imported.set(messageId, raw);
      return `From old@old.test Thu Nov 24 18:22:48 1986\n${raw.toString().replaceAll('\r\n', '\n')}\n`;
    });
    return Buffer.from(messages.join(''));
  }

  private async upload(file: Buffer, processed: number): Promise<StartedWork> {
    const answer = await this.api.upload(`/api/import/${this.other.id}/mbox`, file);
    if (answer.status !== 202)
      throw new Error(`The import answered ${answer.status}: ${answer.bytes.toString()}`);
    return { jobId: answer.body.jobId as string, processed };
  }

  private async post(path: string, body: object = {}, processed: number | null = null): Promise<StartedWork> {
    const answer = await this.api.post(path, body);
    if (answer.status !== 202)
      throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
    return { jobId: answer.body.jobId as string, processed };
  }
}
