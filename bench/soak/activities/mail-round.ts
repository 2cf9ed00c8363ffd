import { upload } from '../../../test/support/imports';
import { parseMbox, unzip } from '../../../test/support/archive/exports';
import type { Journal } from '../journal';
import { expectStatus, PASSPHRASE, type SoakAccount, type SoakWorld } from '../soak-world';
import { PER_ROUND, roundAsMbox, roundOfMail, wordOf } from './new-mail';

const JOB_PATIENCE_MS = 300_000;

/**
 * The life of some mail in one account: it arrives, is archived, found, exported, imported elsewhere, scanned, encrypted
 * where that is done, labelled, swept by a rule, and deleted from the mailbox; retention takes it from the archives.
 */
export class MailRound {
  private readonly word: string;

  constructor(
    private readonly world: SoakWorld,
    private readonly account: SoakAccount,
    private readonly journal: Journal,
    number: number,
  ) {
    this.word = wordOf(account.accountId, number);
  }

  async run(): Promise<void> {
    const { email } = this.account;
    const ids = await this.world.sandbox.insert(email, roundOfMail(this.word));
    await this.api.get(`/api/dashboard/${this.id}/stats`);
    await this.job('archive', `/api/archive/${this.id}/archive`, { messageIds: ids }, PER_ROUND);
    await this.exports(await this.found(this.id));
    await this.importElsewhere();
    await this.job('scan for trackers', `/api/privacy/${this.id}/tracking/scan`);
    await this.job('scan for personal data', `/api/privacy/${this.id}/pii/scan`);
    if (this.account.encrypts) await this.encrypt();
    await this.sort(ids);
    await this.sweep(ids);
  }

  private get id(): string {
    return this.account.accountId;
  }

  private get api() {
    return this.account.user.api;
  }

  /** Ids of the round's mail in an archive. */
  private async found(accountId: string): Promise<string[]> {
    const { body } = await expectStatus(
      200,
      this.api.get(`/api/archive/${accountId}/mails?q="${this.word}"&limit=${PER_ROUND}`),
    );
    return (body.mails as { id: string }[]).map(({ id }) => id);
  }

  private async exports(mailIds: readonly string[]): Promise<void> {
    this.journal.expect('mails found', mailIds.length, PER_ROUND);
    const zip = await expectStatus(200, this.api.post(`/api/archive/${this.id}/export-zip`, { mailIds }));
    this.journal.expect('files in the ZIP', (await unzip(zip.bytes)).entries.size >= PER_ROUND, true);
    const mbox = await expectStatus(200, this.api.post(`/api/import/${this.id}/export-mbox`, { mailIds }));
    this.journal.expect('messages in the mbox', parseMbox(mbox.bytes).length, PER_ROUND);
    this.journal.count('exports', 2);
  }

  private async importElsewhere(): Promise<void> {
    const { otherAccountId, user } = this.account;
    const { body } = await expectStatus(202, upload(user, otherAccountId, roundAsMbox(this.word)));
    const job = await this.ended('import', body.jobId as string);
    this.journal.expect('mails imported', job.result?.imported, PER_ROUND);
  }

  /** Encrypts whatever is not yet, and reads one mail of it. */
  private async encrypt(): Promise<void> {
    await this.job('encryption', `/api/privacy/${this.id}/encryption/encrypt`, { passphrase: PASSPHRASE });
  }

  private async sort(messageIds: readonly string[]): Promise<void> {
    const bulk = (action: string, labelId?: string): Promise<void> =>
      this.job(
        `bulk ${action}`,
        `/api/mailbox/${this.id}/messages/bulk`,
        { action, messageIds, labelId },
        PER_ROUND,
      );
    const created = await expectStatus(
      201,
      this.api.post(`/api/mailbox/${this.id}/labels`, { name: this.word }),
    );
    const labelId = created.body.id as string;
    await bulk('label', labelId);
    await bulk('mark_read');
    await this.runRule(labelId);
    await bulk('unlabel', labelId);
    await bulk('archive');
    const removed = await this.api.delete(`/api/mailbox/${this.id}/labels/${labelId}`);
    this.journal.expect('deleting a label', removed.status < 300, true);
  }

  private async runRule(labelId: string): Promise<void> {
    const rule = {
      name: this.word,
      conditions: [{ field: 'label', operator: 'equals', value: labelId }],
      action: { type: 'mark_unread' },
    };
    const { body } = await expectStatus(201, this.api.post(`/api/rules/${this.id}`, rule));
    const path = `/api/rules/${this.id}/${body.id as string}`;
    await this.job('rule', `${path}/run`, undefined, PER_ROUND);
    await expectStatus(204, this.api.delete(path));
  }

  /** Newsletters, then the rest, leave the mailbox for good; retention takes the archived copies of both accounts. */
  private async sweep(messageIds: readonly string[]): Promise<void> {
    await this.job('scan for newsletters', `/api/unsubscribe/${this.id}/scan`);
    const newsletters = `/api/unsubscribe/${this.id}/newsletters/news@soak.example.org`;
    await this.job('newsletters deleted', `${newsletters}/delete`, { permanent: true });
    await this.job('bulk delete', `/api/mailbox/${this.id}/messages/bulk`, {
      action: 'delete',
      messageIds,
    });
    await expectStatus(200, this.api.post('/api/retention/run'));
    this.journal.count('retention');
    for (const accountId of [this.id, this.account.otherAccountId])
      this.journal.expect('mails after retention', (await this.found(accountId)).length, 0);
  }

  /** Starts a job, waits for its end, and notes when it is another than it should be. */
  private async job(what: string, path: string, body?: unknown, processed?: number): Promise<void> {
    const started = await expectStatus(202, this.api.post(path, body)).catch((error: unknown) => {
      throw new Error(`${what} answered ${String(error)}`);
    });
    const job = await this.ended(what, started.body.jobId as string);
    if (processed !== undefined) this.journal.expect(`${what}, items`, job.processed, processed);
  }

  private async ended(what: string, jobId: string): Promise<any> {
    const job = await this.account.user.jobEnd(jobId, JOB_PATIENCE_MS);
    this.journal.count(`job: ${what}`);
    if (job.status !== 'completed') this.journal.fail(`${what} ended as ${job.status}: ${job.error}`);
    return job;
  }
}
