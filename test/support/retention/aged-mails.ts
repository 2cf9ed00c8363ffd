import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFixture } from '../archive/archive-fixture';
import { emlWithAttachment } from '../archive/eml';
import type { ServiceUser, TestedService } from '../tested-service';

export const DAY_MS = 24 * 60 * 60 * 1000;

export interface AgedMail {
  readonly ageDays: number;
  readonly labelIds?: readonly string[];
  /** Position of an earlier mail of the same conversation. */
  readonly inThreadOf?: number;
}

/** Archived mails of chosen ages and labels, with real files. */
export class AgedMails {
  private constructor(readonly archive: ArchiveFixture) {}

  static async connect(app: TestedService, user: ServiceUser, name: string): Promise<AgedMails> {
    return new AgedMails(await ArchiveFixture.connect(app, user, `${name}-1@sandbox.mailroom.test`));
  }

  get accountId(): string {
    return this.archive.accountId;
  }

  /** Archives mails through the service. @returns their ids in the archive, in order */
  async add(...mails: AgedMail[]): Promise<string[]> {
    const { mailbox } = this.archive;
    const ids: string[] = [];
    mails.forEach(({ ageDays, labelIds = ['INBOX'], inThreadOf }, at) => {
      const threadId = inThreadOf === undefined ? undefined : mailbox.threadId(ids[inThreadOf]!);
      const id = mailbox.insert(
        emlWithAttachment({
          subject: `Aged ${at}`,
          disposition: 'attachment; filename="a.txt"',
          content: Buffer.from(`mail ${at} of age ${ageDays}`),
        }).toString(),
        { labelIds: [...labelIds], internalDate: new Date(Date.now() - ageDays * DAY_MS), threadId },
      );
      ids.push(id);
    });
    const job = await this.archive.archive({ messageIds: ids });
    if (job.processed !== mails.length) throw new Error(`archived ${job.processed} of ${mails.length}`);
    const rows = await this.archive.rows();
    return ids.map((id) => rows.get(id)!.id as string);
  }

  /** Makes mails look imported: named by their Message-ID, with names for labels. */
  async asImported(ids: readonly string[], labels: readonly string[]): Promise<void> {
    await this.archive.app.dataSource.query(
      `UPDATE archived_mails SET mailbox_message_id = '<' || id || '@imported.example>', label_ids = $2 WHERE id = ANY ($1)`,
      [ids, labels],
    );
  }

  /** Creates a label in the mailbox. @returns its id */
  async label(name: string): Promise<string> {
    const { status, body } = await this.archive.user.api.post(`/api/mailbox/${this.accountId}/labels`, {
      name,
    });
    if (status !== 201) throw new Error(`labels answered ${status}`);
    return body.id as string;
  }

  /** Ids of the mails still in the archive, oldest first. */
  async left(): Promise<string[]> {
    const rows: { id: string }[] = await this.archive.app.dataSource.query(
      'SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY date, id',
      [this.accountId],
    );
    return rows.map(({ id }) => id);
  }

  /** Rows, files, threads, words, attachments and totals all tell of the same mails. */
  async expectSound(): Promise<void> {
    const left = await this.left();
    const { dataSource, archiveDir } = this.archive.app;
    const keys: { storage_key: string }[] = await dataSource.query(
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 ORDER BY storage_key',
      [this.accountId],
    );
    expect(await this.archive.files()).toEqual(keys.map(({ storage_key: key }) => key));
    const { kept, counted } = await this.archive.totals();
    expect(kept).toEqual(counted);
    for (const [table, column] of [
      ['archived_mail_words', 'mail_id'],
      ['archived_attachments', 'mail_id'],
    ]) {
      const rows: { id: string }[] = await dataSource.query(
        `SELECT DISTINCT ${column} AS id FROM ${table} WHERE account_id = $1`,
        [this.accountId],
      );
      expect(rows.map(({ id }) => id).sort()).toEqual([...left].sort());
    }
    if (left.length === 0)
      expect(existsSync(join(archiveDir, this.archive.user.id, this.accountId))).toBe(false);
  }
}
