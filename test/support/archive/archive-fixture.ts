import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { ServiceUser, TestedService } from '../tested-service';

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A connected mailbox and what its tests need of its archive. */
export class ArchiveFixture {
  constructor(
    readonly app: TestedService,
    readonly user: ServiceUser,
    readonly accountId: string,
    readonly mailbox: SandboxMailbox,
  ) {}

  /** @param email `name-<count>@…` makes a mailbox of that many generated messages */
  static async connect(app: TestedService, user: ServiceUser, email: string): Promise<ArchiveFixture> {
    const accountId = await user.connect(email);
    return new ArchiveFixture(app, user, accountId, app.mailbox(email));
  }

  get path(): string {
    return `/api/archive/${this.accountId}`;
  }

  /** Starts an archive job and waits for its end. */
  async archive(request: object, timeoutMs?: number): Promise<any> {
    const { status, body, bytes } = await this.user.api.post(`${this.path}/archive`, request);
    if (status !== 202) throw new Error(`archive answered ${status}: ${bytes.toString()}`);
    return this.user.jobEnd(body.jobId as string, timeoutMs);
  }

  /** Inserts messages into the mailbox and archives them. @returns the mails' ids in the archive, in order */
  async insertAndArchive(...messages: Buffer[]): Promise<string[]> {
    const ids = messages.map((raw) => this.mailbox.insert(raw, { labelIds: ['INBOX'] }));
    const job = await this.archive({ messageIds: ids });
    if (job.processed !== messages.length)
      throw new Error(`archived ${job.processed}: ${JSON.stringify(job)}`);
    const rows = await this.rows();
    return ids.map((id) => rows.get(id)!.id);
  }

  /** The rows of the account by message id. */
  async rows(): Promise<Map<string, any>> {
    const rows: any[] = await this.app.dataSource.query(
      'SELECT * FROM archived_mails WHERE account_id = $1',
      [this.accountId],
    );
    return new Map(rows.map((row) => [row.mailbox_message_id as string, row]));
  }

  /** Keys of all files below the account's folder. */
  async files(): Promise<string[]> {
    const root = join(this.app.archiveDir, this.user.id, this.accountId);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.app.archiveDir, join(entry.parentPath, entry.name)))
      .sort();
  }

  /** The counters the triggers keep, and the same counted from the rows. */
  async totals(): Promise<{ kept: object; counted: object }> {
    const [kept] = await this.app.dataSource.query(
      `SELECT mails, bytes::int, with_attachments, encrypted, threads, attachments, attachment_bytes::int,
              (SELECT coalesce(sum(message_count), 0)::int FROM archived_threads t WHERE t.account_id = $1) AS in_threads,
              (SELECT max(latest_date) FROM archived_threads t WHERE t.account_id = $1) AS latest
         FROM archive_totals WHERE account_id = $1`,
      [this.accountId],
    );
    const [counted] = await this.app.dataSource.query(
      `SELECT count(*)::int AS mails, coalesce(sum(size_bytes), 0)::int AS bytes,
              count(*) FILTER (WHERE has_attachments)::int AS with_attachments,
              count(*) FILTER (WHERE is_encrypted)::int AS encrypted, count(DISTINCT thread_id)::int AS threads,
              (SELECT count(*)::int FROM archived_attachments WHERE account_id = $1 AND NOT is_inline) AS attachments,
              (SELECT coalesce(sum(size_bytes), 0)::int FROM archived_attachments
                WHERE account_id = $1 AND NOT is_inline) AS attachment_bytes,
              count(*)::int AS in_threads, max(date) AS latest
         FROM archived_mails WHERE account_id = $1`,
      [this.accountId],
    );
    return { kept, counted };
  }
}
