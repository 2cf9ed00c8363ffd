import type { Readable } from 'node:stream';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { HEADER_BYTES } from '../../archive/passphrases/encrypted-file';
import type { MailRow } from './archive-list';
import { BackupError } from './backup.errors';
import { dumpQuery, quoteName, type RenewedRow } from './dumped-tables';
import type { DumpedSequence } from './manifest';
import { typedRows, column } from '../../platform/database/row-shape';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The fields of a line of `COPY … TO STDOUT` in its text format (PostgreSQL manual, COPY, "Text Format"). */
export function parseCopyLine(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null;
    return field.replace(/\\(.)/g, (_match, letter: string) => ESCAPES[letter] ?? letter);
  });
}

/** `size_bytes` is the size of the message; a backup needs that of the file. */
const FILE_BYTES = `size_bytes + CASE WHEN is_encrypted THEN ${HEADER_BYTES} ELSE 0 END`;

export interface TableToDump {
  readonly table: string;
  readonly columns: readonly string[];
  /** The column with the id of an archived mail. */
  readonly mailColumn: string | null;
}

/** A mail as its row is now. */
export interface PresentMail extends MailRow {
  /** The mail's rows, and the rows they depend on. */
  readonly rows: readonly RenewedRow[];
}

export interface TableCopy {
  readonly source: Readable;
  /** Number of rows, known at the end of the source. */
  rows(): number;
}

/**
 * The database during a backup: two connections without time limits, one for the snapshot and one for later changes.
 */
export class SnapshotRepository {
  private constructor(
    private readonly snapshot: Client,
    private readonly present: Client,
  ) {}

  /** @throws BackupError when another backup of this database is running */
  static async open(url: string): Promise<SnapshotRepository> {
    const connect = async (): Promise<Client> => {
      const client = new Client({
        connectionString: url,
        application_name: 'mailroom-backup',
        keepAlive: true,
      });
      // Pending queries fail with the same error; without a listener the process would end.
      client.on('error', () => undefined);
      await client.connect();
      await client.query('SET statement_timeout = 0');
      return client;
    };
    const repository = new SnapshotRepository(await connect(), await connect());
    const rows = typedRows(
      { locked: column.boolean },
      (await repository.present.query('SELECT pg_try_advisory_lock($1) AS locked', [AdvisoryLock.Backup]))
        .rows,
    );
    if (rows[0]?.locked) return repository;
    await repository.close();
    throw new BackupError('Another backup of this database is under way.');
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.snapshot.end(), this.present.end()]);
  }

  /** Names of the applied migrations, oldest first; none when the service has never been started. */
  async listMigrations(): Promise<string[]> {
    const found = typedRows(
      { known: column.boolean },
      (await this.present.query(`SELECT to_regclass('migrations') IS NOT NULL AS known`)).rows,
    );
    if (!found[0]?.known) return [];
    const rows = typedRows(
      { name: column.text },
      (await this.present.query('SELECT name FROM migrations ORDER BY id')).rows,
    );
    return rows.map(({ name }) => name);
  }

  /** All reads from here to `end` see one instant. */
  async begin(): Promise<void> {
    // A read-only transaction may write to temporary tables, but not create them.
    await this.snapshot.query('CREATE TEMP TABLE backup_deleted_mails (mail_id uuid PRIMARY KEY)');
    await this.snapshot.query(
      'CREATE TEMP TABLE backup_renewed_rows (table_name text, id uuid, row jsonb, PRIMARY KEY (table_name, id))',
    );
    await this.snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await this.snapshot.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  }

  async end(): Promise<void> {
    await this.snapshot.query('COMMIT');
  }

  /** Archived mails in the order of their keys, of the snapshot when one has begun; lines for `parseMailRow`. */
  readMails(): Readable {
    return this.snapshot.query(
      copyTo(
        `COPY (SELECT id, storage, storage_key, ${FILE_BYTES}, sha256 FROM archived_mails
                ORDER BY storage_key COLLATE "C", storage COLLATE "C", id) TO STDOUT`,
      ),
    );
  }

  /** A mail in its current state, not the snapshot's; null when it has been deleted. */
  async findPresentMail(id: string): Promise<PresentMail | null> {
    const rows = typedRows(
      {
        user_id: column.text,
        storage: column.text,
        storage_key: column.text,
        bytes: column.text,
        sha256: column.text,
        mail: column.text,
        words: column.nullable(column.text),
        attachments: column.array(column.text),
        passages: column.array(column.text),
        pages: column.array(column.text),
        passphrase: column.nullable(column.text),
      },
      (
        await this.present.query(
          `SELECT mail.user_id, storage, storage_key, ${FILE_BYTES} AS bytes, sha256, to_jsonb(mail)::text AS mail,
              (to_jsonb(found) - 'padding')::text AS words, to_jsonb(passphrase)::text AS passphrase,
              ARRAY(SELECT to_jsonb(attachment)::text FROM archived_attachments attachment
                     WHERE attachment.mail_id = mail.id) AS attachments,
              ARRAY(SELECT to_jsonb(passage)::text FROM archived_mail_passages passage
                     WHERE passage.mail_id = mail.id) AS passages,
              ARRAY(SELECT to_jsonb(page)::text FROM archived_attachment_pages page
                     WHERE page.mail_id = mail.id) AS pages
         FROM archived_mails mail
         LEFT JOIN archived_mail_words found ON found.mail_id = mail.id
         LEFT JOIN encryption_passphrases passphrase ON passphrase.user_id = mail.user_id
        WHERE mail.id = $1`,
          [id],
        )
      ).rows,
    );
    const [row] = rows;
    if (!row) return null;
    const {
      user_id: userId,
      storage,
      storage_key: key,
      bytes,
      sha256,
      mail,
      words,
      attachments,
      passages,
      pages,
      passphrase,
    } = row;
    const present: RenewedRow[] = [{ table: 'archived_mails', id, row: mail }];
    if (words !== null) present.push({ table: 'archived_mail_words', id, row: words });
    const addRows = (table: string, rowsOfMail: readonly string[]): void => {
      for (const row of rowsOfMail) present.push({ table, id: (JSON.parse(row) as { id: string }).id, row });
    };
    addRows('archived_attachments', attachments);
    addRows('archived_mail_passages', passages);
    addRows('archived_attachment_pages', pages);
    if (passphrase !== null) present.push({ table: 'encryption_passphrases', id: userId, row: passphrase });
    return { id, storage, key, bytes: Number(bytes), sha256, rows: present };
  }

  /** The mail that an account has now under the same message id as one of the snapshot; null when it has none. */
  async findSuccessorOf(id: string): Promise<PresentMail | null> {
    const [earlier] = typedRows(
      { account_id: column.text, mailbox_message_id: column.text },
      (
        await this.snapshot.query('SELECT account_id, mailbox_message_id FROM archived_mails WHERE id = $1', [
          id,
        ])
      ).rows,
    );
    if (!earlier) return null;
    const [successor] = typedRows(
      { id: column.text },
      (
        await this.present.query(
          'SELECT id FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2',
          [earlier.account_id, earlier.mailbox_message_id],
        )
      ).rows,
    );
    return successor ? this.findPresentMail(successor.id) : null;
  }

  /** Leaves a mail out of the tables that are dumped from now on. */
  async leaveOutMail(id: string): Promise<void> {
    await this.snapshot.query('INSERT INTO backup_deleted_mails VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  }

  /** Dumps these rows instead of the snapshot's, for a mail whose current file is copied. */
  async renewMail({ rows }: PresentMail): Promise<void> {
    for (const { table, id, row } of rows) {
      await this.snapshot.query(
        `INSERT INTO backup_renewed_rows VALUES ($1, $2, $3)
         ON CONFLICT (table_name, id) DO UPDATE SET row = excluded.row`,
        [table, id, row],
      );
    }
  }

  /** The service's tables with their columns. */
  async listTables(names: readonly string[]): Promise<TableToDump[]> {
    const rows = typedRows(
      { table: column.text, columns: column.array(column.text), mail_column: column.nullable(column.text) },
      (
        await this.snapshot.query(
          `SELECT c.relname::text AS table,
              array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
              CASE WHEN c.relname = 'archived_mails' THEN 'id' ELSE (
                SELECT k.attname::text FROM pg_constraint f
                  JOIN pg_attribute k ON k.attrelid = f.conrelid AND k.attnum = f.conkey[1]
                 WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = to_regclass('archived_mails') LIMIT 1
              ) END AS mail_column
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname = ANY ($1)
        GROUP BY c.oid, c.relname ORDER BY c.relname`,
          [names],
        )
      ).rows,
    );
    return rows.map(({ table, columns, mail_column: mailColumn }) => ({ table, columns, mailColumn }));
  }

  /** The rows of a table in the text format of COPY. */
  copy({ table, columns, mailColumn }: TableToDump): TableCopy {
    const source = this.snapshot.query(copyTo(`COPY ${dumpQuery(table, columns, mailColumn)} TO STDOUT`));
    return { source, rows: () => source.rowCount };
  }

  /** Sequences of the tables; they may be ahead of the snapshot. */
  async listSequences(tables: readonly string[]): Promise<DumpedSequence[]> {
    const rows = typedRows(
      { sequence: column.text },
      (
        await this.snapshot.query(
          `SELECT s.relname::text AS sequence FROM pg_class s
         JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
         JOIN pg_class c ON c.oid = d.refobjid
        WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
        ORDER BY s.relname`,
          [tables],
        )
      ).rows,
    );
    const sequences: DumpedSequence[] = [];
    for (const { sequence } of rows) {
      const found = await this.snapshot.query(
        `SELECT last_value::text AS value, is_called FROM ${quoteName(sequence)}`,
      );
      const state = typedRows({ value: column.text, is_called: column.boolean }, found.rows)[0]!;
      sequences.push({ sequence, value: state.value, isCalled: state.is_called });
    }
    return sequences;
  }
}

/** A line of `SnapshotRepository.mails`. */
export function parseMailRow(line: string): MailRow {
  const [id, storage, key, bytes, sha256] = parseCopyLine(line) as [string, string, string, string, string];
  return { id, storage, key, bytes: Number(bytes), sha256 };
}
