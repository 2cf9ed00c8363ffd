import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContinuousArchiver } from '../../../src/keep/continuous/copying/continuous-archiver';
import { MailboxCheck } from '../../../src/keep/continuous/reconciling/mailbox-check';
import type { ProviderAccount } from '../../../src/providers/port/mailbox-provider.port';
import { ArchiveFixture, sha256 } from '../archive/archive-fixture';
import { eml } from '../archive/eml';
import type { Providers, ServiceUser, TestedService } from '../tested-service';
import { waitFor } from '../wait';

export interface LedgerRow {
  readonly message_id: string;
  readonly class: 'archived' | 'excluded' | 'failed' | 'pending';
  readonly exclusion: string | null;
  readonly reason: string | null;
  readonly mail_id: string | null;
  readonly label_ids: readonly string[];
  readonly lease_until: Date | null;
  readonly due_at: Date | null;
  readonly attempts: number;
}

const KEEP = { mode: 'keep' };

/** A message of a sender of its own. */
export const message = (name: string, text = 'Text.'): Buffer =>
  eml(
    `From: ${name} <${name}@senders.test>`,
    'To: me@home.test',
    `Subject: ${name}`,
    `Message-ID: <${name}@senders.test>`,
    '',
    text,
    '',
  );

/** A mailbox with continuous archiving, and what its tests look at. */
export class KeptMailbox extends ArchiveFixture {
  static override async connect(app: TestedService, user: ServiceUser, email: string): Promise<KeptMailbox> {
    const { accountId, mailbox } = await ArchiveFixture.connect(app, user, email);
    return new KeptMailbox(app, user, accountId, mailbox);
  }

  get settingsPath(): string {
    return `/api/archiving/${this.accountId}`;
  }

  get account(): ProviderAccount {
    const { email } = this.mailbox;
    return { id: this.accountId, userId: this.user.id, email, provider: 'gmail' };
  }

  /** Changes the settings. @returns the answer's body */
  async choose(body: object): Promise<any> {
    const { status, body: answer, bytes } = await this.user.api.put(this.settingsPath, body);
    if (status !== 200) throw new Error(`PUT answered ${status}: ${bytes.toString()}`);
    return answer;
  }

  async status(): Promise<any> {
    return (await this.user.api.get(this.settingsPath)).body;
  }

  /** Switches it on, and waits until the ledger has been compared with the mailbox. */
  async keep(body: object = {}): Promise<void> {
    const { jobId } = await this.choose({ ...KEEP, ...body });
    const job = await this.user.jobEnd(jobId as string);
    if (job.status !== 'completed') throw new Error(JSON.stringify(job));
  }

  /** Runs the chore that is due every 45 seconds. */
  async look(app: Providers = this.app): Promise<void> {
    // The look before has followed the history a moment ago.
    await this.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
    );
    await app.get(ContinuousArchiver).syncNewMail(this.account, AbortSignal.timeout(60_000));
  }

  /** Looks until nothing waits, and waits for the job that a look may start. */
  async lookUntilDone(): Promise<void> {
    await waitFor('everything to be copied', async () => {
      await this.look();
      const { pending, jobId, exact } = await this.status();
      if (jobId) await this.user.jobEnd(jobId as string);
      return exact && pending === 0 && jobId === null;
    });
  }

  /** Runs the hourly work. */
  async check(): Promise<void> {
    await this.app.get(MailboxCheck).perform(this.account, AbortSignal.timeout(60_000));
  }

  async reconcile(): Promise<any> {
    const { status, body } = await this.user.api.post(`${this.settingsPath}/reconcile`);
    if (status !== 202) throw new Error(`reconcile answered ${status}`);
    return this.user.jobEnd(body.jobId as string);
  }

  query(sql: string, ...parameters: unknown[]): Promise<any[]> {
    return this.app.dataSource.query(sql, [this.accountId, ...parameters]);
  }

  /** Inserts a message as if it had just arrived. */
  arrive(name: string, labelIds: readonly string[] = ['INBOX'], internalDate = new Date()): string {
    return this.mailbox.insert(message(name), { labelIds, internalDate });
  }

  async ledger(): Promise<Map<string, LedgerRow>> {
    const rows: LedgerRow[] = await this.query('SELECT * FROM ledger_messages WHERE account_id = $1');
    return new Map(rows.map((row) => [row.message_id, row]));
  }

  /** The class of each message, with the exclusion or the reason behind a colon. */
  async classes(): Promise<Record<string, string>> {
    const rows = [...(await this.ledger()).values()];
    return Object.fromEntries(
      rows.map(({ message_id: id, class: name, exclusion, reason }) => [
        id,
        [name, exclusion ?? reason].filter(Boolean).join(':'),
      ]),
    );
  }

  /** Provider calls of this mailbox since the last sync at them. */
  calls(endpoint: string): number {
    return this.app.providerCalls(this.mailbox.email)[endpoint] ?? 0;
  }

  /**
   * Compares rows of the ledger with the mailbox, totals with rows, archived mail with the ledger, and files with the
   * messages, independently of the service. @returns the differences
   */
  async problems(): Promise<string[]> {
    const ledger = await this.ledger();
    const archived = await this.rows();
    const ids = this.mailbox.ids();
    const problems = [
      ...ids.filter((id) => !ledger.has(id)).map((id) => `${id} has no row`),
      ...[...ledger.keys()].filter((id) => !ids.includes(id)).map((id) => `${id} is not in the mailbox`),
    ];
    for (const [id, row] of ledger) {
      const mail = archived.get(id);
      if ((row.class === 'archived') !== (mail !== undefined && row.reason === null)) {
        problems.push(`${id} is ${row.class}, and ${mail ? 'has a' : 'has no'} copy`);
      }
      if (row.class === 'archived' && row.mail_id !== mail?.id) problems.push(`${id} names another copy`);
      if (!mail || !ids.includes(id)) continue;
      const file = await readFile(join(this.app.archiveDir, mail.storage_key as string)).catch(() => null);
      if (!file || (!mail.is_encrypted && sha256(file) !== sha256(this.mailbox.raw(id)))) {
        problems.push(`${id}: the file is not the message`);
      }
    }
    const counted: any[] = await this.query(
      `SELECT class, coalesce(exclusion, reason, '') AS detail, count(*)::int AS messages,
              coalesce(sum(size_bytes), 0)::text AS bytes
         FROM ledger_messages WHERE account_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const kept: any[] = await this.query(
      `SELECT class, detail, sum(messages)::int AS messages, sum(bytes)::text AS bytes FROM ledger_totals
        WHERE account_id = $1 AND class <> 'gone' GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    if (JSON.stringify(counted) !== JSON.stringify(kept)) {
      problems.push(`totals are ${JSON.stringify(kept)}, rows ${JSON.stringify(counted)}`);
    }
    return problems;
  }
}
