import { ArchiveFixture } from '../archive/archive-fixture';
import { eml } from '../archive/eml';
import { EncryptedArchive } from '../encryption/encrypted-archive';
import type { ServiceUser, TestedService } from '../tested-service';

export const LONG_AGO = new Date('2020-01-01T10:00:00Z');

let boxes = 0;

/** A mailbox whose messages are archived, to be offloaded. */
export class OffloadBox extends EncryptedArchive {
  ids: readonly string[] = [];

  /** @param messages read ones in the inbox, all archived */
  static async filled(app: TestedService, user: ServiceUser, messages: number): Promise<OffloadBox> {
    const { accountId, mailbox } = await ArchiveFixture.connect(
      app,
      user,
      `offload${(boxes += 1)}-0@sandbox.mailroom.test`,
    );
    const box = new OffloadBox(app, user, accountId, mailbox);
    box.ids = Array.from({ length: messages }, (_, n) =>
      mailbox.insert(messageOf(n), { labelIds: ['INBOX'], internalDate: LONG_AGO }),
    );
    if (messages > 0) {
      const job = await box.archive({ messageIds: box.ids }, 20_000);
      if (job.processed !== messages) throw new Error(`archived ${job.processed} of ${messages}`);
    }
    return box;
  }

  get offloadPath(): string {
    return `/api/offload/${this.accountId}`;
  }

  /** Calls of an endpoint of the provider for this mailbox. */
  calls(endpoint: string): number {
    return this.app.providerCalls(this.mailbox.email)[endpoint] ?? 0;
  }

  /** Messages in the trash, in the order of the box. */
  trashed(): string[] {
    return this.ids.filter(
      (id) => this.mailbox.ids().includes(id) && this.mailbox.labels(id).includes('TRASH'),
    );
  }

  async startPlan(request: object = {}): Promise<{ planId: string; jobId: string }> {
    const body = { select: { messageIds: this.ids }, mode: 'fast', ...request };
    const { status, body: answer, bytes } = await this.user.api.post(`${this.offloadPath}/plans`, body);
    if (status !== 202) throw new Error(`plans answered ${status}: ${bytes.toString()}`);
    return answer;
  }

  /** Makes a plan and waits for it. */
  async plan(request: object = {}): Promise<any> {
    const { planId, jobId } = await this.startPlan(request);
    const job = await this.user.jobEnd(jobId);
    if (job.status !== 'completed') throw new Error(`planning ended as ${JSON.stringify(job)}`);
    return this.shown(planId);
  }

  async shown(planId: string): Promise<any> {
    return (await this.user.api.get(`${this.offloadPath}/plans/${planId}`)).body;
  }

  confirm(plan: any, passphrase?: string): Promise<any> {
    return this.user.api.post(
      `${this.offloadPath}/plans/${plan.id}/confirm`,
      { digest: plan.digest, count: plan.offloadable },
      passphrase ? { headers: { 'X-Archive-Passphrase': passphrase } } : {},
    );
  }

  async start(plan: any, passphrase?: string): Promise<string> {
    const { status, body, bytes } = await this.confirm(plan, passphrase);
    if (status !== 202) throw new Error(`confirm answered ${status}: ${bytes.toString()}`);
    return body.jobId as string;
  }

  /** Plans, confirms and waits for the end. @returns the job and the plan afterwards */
  async offload(request: object = {}, passphrase?: string): Promise<{ job: any; plan: any }> {
    const plan = await this.plan(request);
    const job = await this.user.jobEnd(await this.start(plan, passphrase));
    return { job, plan: await this.shown(plan.id as string) };
  }

  /** Reasons by message id. */
  async reasons(planId: string): Promise<Record<string, string>> {
    const { body } = await this.user.api.get(
      `${this.offloadPath}/plans/${planId}/messages?state=blocked&limit=100`,
    );
    return Object.fromEntries(body.items.map((item: any) => [item.messageId, item.reason]));
  }

  async holds(): Promise<number> {
    const [row] = await this.app.dataSource.query(
      `SELECT count(*)::int AS count FROM archive_holds held JOIN archived_mails mail ON mail.id = held.mail_id
       WHERE mail.account_id = $1`,
      [this.accountId],
    );
    return row.count as number;
  }

  /** Receipt and items, as bytes. */
  async receipt(planId: string): Promise<{ receipt: any; items: Buffer }> {
    const path = `${this.offloadPath}/receipts/${planId}`;
    const [{ body: receipt }, { bytes: items }] = await Promise.all([
      this.user.api.get(path),
      this.user.api.get(`${path}/items`),
    ]);
    return { receipt, items };
  }
}

export const messageOf = (n: number): Buffer =>
  eml(
    'From: Shop <shop@letters.test>',
    'To: me@home.test',
    `Subject: Letter ${n}`,
    `Message-ID: <offload-${n}@letters.test>`,
    'Date: Wed, 1 Jan 2020 10:00:00 +0000',
    '',
    `Letter ${n}.`,
    '',
  );
