import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestApp } from '../app';
import { EncryptedArchive } from '../encryption/encrypted-archive';
import { ArchiveFixture } from '../archive/archive-fixture';
import { importMbox, inMbox } from '../imports';
import type { TestUser } from '../test-user';
import { insertAnyRow } from './fill-tables';
import { tablesOfUsers } from './traces';

const MAIL = Buffer.from(
  'From: "A Friend" <friend@example.org>\r\nTo: someone@example.org\r\nSubject: Hello\r\n' +
    'Message-ID: <hello@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n' +
    '--b\r\nContent-Type: text/plain\r\n\r\nHello there\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\n' +
    'Content-Disposition: attachment; filename=a.txt\r\n\r\nattached\r\n--b--\r\n',
);

/** Tables whose rows name the user only by way of another row. */
const viaRow = (column: string, table: string): string =>
  `${column} IN (SELECT id FROM ${table} other WHERE other::text LIKE ANY ($1))`;
const PATHS: Readonly<Record<string, string>> = {
  refresh_tokens: viaRow('session_id', 'sessions'),
  rule_matches: viaRow('job_id', 'jobs'),
  change_journal: viaRow('job_id', 'jobs'),
  retention_counts: viaRow('job_id', 'jobs'),
  imported_subjects: viaRow('mail_id', 'archived_mails'),
  archive_holds: viaRow('mail_id', 'archived_mails'),
};
/** Tables that others refer to come first. */
const RANK = (table: string): number =>
  ['webhooks', 'sessions', 'jobs', 'restores', 'offload_plans'].includes(table) ? 0 : 1;

/** A user with something in every table, and files of every sort. */
export class FullUser {
  private constructor(
    readonly app: TestApp,
    readonly user: TestUser,
    /** Connected, with mail on the local disk, some of it encrypted. */
    readonly connected: EncryptedArchive,
    /** Disconnected; its archive is kept. */
    readonly disconnected: ArchiveFixture,
  ) {}

  static async create(app: TestApp, name: string): Promise<FullUser> {
    const user = await app.user(name);
    const connected = await EncryptedArchive.connect(app, user, `${name}-one-0@sandbox.test`);
    const disconnected = await ArchiveFixture.connect(app, user, `${name}-two-0@sandbox.test`);
    const full = new FullUser(app, user, connected, disconnected);
    await full.archive();
    await full.fillTables();
    await full.leaveFiles();
    await user.api.delete(`/api/auth/mailbox/${disconnected.accountId}`);
    const { body } = await user.api.get('/api/jobs');
    const { queue_id: jobId } = body.find(({ type }: { type: string }) => type === 'delete_mailbox_data');
    await user.jobEnd(jobId as string);
    return full;
  }

  /** A text that no other user's rows and paths contain. */
  get needles(): string[] {
    const { user, connected, disconnected } = this;
    return [user.id, connected.accountId, disconnected.accountId, user.email];
  }

  private async archive(): Promise<void> {
    const { connected, disconnected, user } = this;
    await connected.setUp();
    const [, encrypted] = await connected.insertAndArchive(
      MAIL,
      Buffer.from(MAIL.toString().replace('hello@', 'two@')),
    );
    await user.jobEnd(await connected.startEncrypting());
    if (!encrypted) throw new Error('Nothing was archived');
    await connected.insertAndArchive(Buffer.from(MAIL.toString().replace('hello@', 'plain@')));
    await disconnected.insertAndArchive(MAIL);
    await importMbox(
      user,
      connected.accountId,
      inMbox('From: x@example.org\nSubject: Re: an import\nMessage-ID: <i@x>\n\nText\n'),
    );
  }

  /** Something in every table that refers to users, however far; where features take longer ways, any row will do. */
  private async fillTables(): Promise<void> {
    const { dataSource } = this.app;
    await insertAnyRow(dataSource, 'import_uploads', (target) => this.idIn(target));
    for (const table of (await tablesOfUsers(dataSource)).sort((a, b) => RANK(a) - RANK(b)))
      if ((await this.idIn(table)) === undefined)
        await insertAnyRow(dataSource, table, (target) => this.idIn(target));
    const [hook] = await dataSource.query('SELECT id FROM webhooks WHERE user_id = $1', [this.user.id]);
    await dataSource.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() + interval '1 day' WHERE webhook_id = $1`,
      [hook.id],
    );
  }

  /** Files that rows do not lead to. */
  private async leaveFiles(): Promise<void> {
    const { app, user, connected } = this;
    const folder = join(app.archiveDir, user.id);
    const stray = [
      join(connected.accountId, '2020', '01', '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d.eml'),
      join('01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e', '2020', '01', 'orphan.eml'),
      join(connected.accountId, 'not ours.txt'),
      '.hidden',
    ];
    for (const path of stray) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'stray');
    }
    await mkdir(join(folder, 'empty', 'folders'), { recursive: true });
    const [upload] = await app.dataSource.query('SELECT id FROM import_uploads WHERE user_id = $1', [
      user.id,
    ]);
    await mkdir(join(app.env['DATA_DIR']!, 'uploads'), { recursive: true });
    await writeFile(join(app.env['DATA_DIR']!, 'uploads', upload.id as string), 'mbox');
  }

  /** The id of a row of this user's, if the table has one and rows have ids. */
  private async idIn(table: string): Promise<string | undefined> {
    const { dataSource } = this.app;
    if (table === 'users') return this.user.id;
    if (table === 'mailbox_accounts') return this.connected.accountId;
    const path = PATHS[table] ?? 't::text LIKE ANY ($1)';
    const [row]: { row: { id?: string } }[] = await dataSource.query(
      `SELECT to_jsonb(t) AS row FROM "${table}" t WHERE ${path} LIMIT 1`,
      [[this.user.id, this.connected.accountId].map((id) => `%${id}%`)],
    );
    return row && (row.row.id ?? 'a row');
  }
}
