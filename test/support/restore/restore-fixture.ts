import type { InsertOptions, SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import { ArchiveFixture, sha256 } from '../archive/archive-fixture';
import type { ServiceUser, TestedService } from '../tested-service';

let messages = 0;
/** The date of the messages, as in their headers. */
export const DATE = new Date('2018-01-02T03:04:05Z');

/** A message of its own; `changes` replaces header fields or, with null, leaves them out. */
export function mail(changes: Readonly<Record<string, string | null>> = {}, body = 'Hello\r\n'): Buffer {
  messages += 1;
  const fields: Record<string, string | null> = {
    From: 'Alice <alice@example.com>',
    To: 'bob@example.com',
    Subject: `Message ${messages}`,
    'Message-ID': `<${messages}.${process.pid}@restore.test>`,
    Date: 'Tue, 2 Jan 2018 03:04:05 +0000',
    ...changes,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return Buffer.from([...lines, '', body].join('\r\n'), 'latin1');
}

/** An archive whose mails are put back. */
export class RestoreFixture extends ArchiveFixture {
  static override async connect(
    app: TestedService,
    user: ServiceUser,
    email: string,
  ): Promise<RestoreFixture> {
    const accountId = await user.connect(email);
    return new RestoreFixture(app, user, accountId, app.mailbox(email));
  }

  /** Inserts a message like `mailbox.insert`, at the date of the messages' headers. */
  put(raw: Buffer, options: InsertOptions = {}): string {
    return this.mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: DATE, ...options });
  }

  override async insertAndArchive(...raws: Buffer[]): Promise<string[]> {
    const ids = raws.map((raw) => this.put(raw));
    await this.archive({ messageIds: ids });
    const rows = await this.rows();
    return ids.map((id) => rows.get(id)!.id as string);
  }

  get restorePath(): string {
    return `/api/restore/${this.accountId}`;
  }

  /** Makes a dry run and waits for its end. @returns its id */
  async plan(body: object): Promise<string> {
    const { status, body: answer, bytes } = await this.user.api.post(this.restorePath, body);
    if (status !== 202) throw new Error(`the restore answered ${status}: ${bytes.toString()}`);
    const job = await this.user.jobEnd(answer.jobId as string);
    if (job.status !== 'completed') throw new Error(`the dry run ended: ${JSON.stringify(job)}`);
    return answer.restoreId as string;
  }

  /** Starts a restore. @returns the job's id */
  async start(restoreId: string, headers: Record<string, string> = {}): Promise<string> {
    const path = `${this.restorePath}/${restoreId}/start`;
    const { status, body, bytes } = await this.user.api.post(path, undefined, { headers });
    if (status !== 202) throw new Error(`the start answered ${status}: ${bytes.toString()}`);
    return body.jobId as string;
  }

  /** Plans and does a restore. @returns it, with its job and mails */
  async restore(body: object, headers: Record<string, string> = {}): Promise<any> {
    const restoreId = await this.plan(body);
    const job = await this.user.jobEnd(await this.start(restoreId, headers), 120_000);
    return { ...(await this.shown(restoreId)), job, items: await this.items(restoreId) };
  }

  async shown(restoreId: string): Promise<any> {
    const { status, body } = await this.user.api.get(`${this.restorePath}/${restoreId}`);
    if (status !== 200) throw new Error(`the restore answered ${status}`);
    return body;
  }

  /** The report, line by line. */
  async items(restoreId: string): Promise<any[]> {
    const { status, bytes } = await this.user.api.get(`${this.restorePath}/${restoreId}/report`);
    if (status !== 200) throw new Error(`the report answered ${status}`);
    return bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** The number of copies of each content in a mailbox, trash included. */
export function copiesOf(mailbox: SandboxMailbox): Map<string, number> {
  const copies = new Map<string, number>();
  for (const id of mailbox.ids()) {
    const hash = sha256(mailbox.raw(id));
    copies.set(hash, (copies.get(hash) ?? 0) + 1);
  }
  return copies;
}
