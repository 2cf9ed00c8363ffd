import { ArchiveStoreFull } from '../../archive/files/archive-store.errors';
import type { ArchiveStore, ArchiveStores } from '../../archive/files/archive-store.port';
import { newId } from '../../platform/crypto/ids';
import { isSpaceExhausted } from '../../platform/logging/system-errors';
import { SERVICE_VERSION } from '../../version';
import { ArchiveListEntry, MailRow } from './archive-list';
import { BackupFolder } from './backup-folder';
import { BackupError } from './backup.errors';
import { dumpedColumns, LEFT_OUT } from './dumped-tables';
import { jsonLines, readJsonLines, readLines, writeGzip } from './files';
import { MailFiles, PassCounts } from './mail-files';
import { DumpedTable, FileProblem, keyCheckOf, Manifest, MANIFEST_FORMAT } from './manifest';
import { formatCount, Progress, formatSize } from './progress';
import type { BackupTimings } from './backup-timings';
import { parseMailRow, SnapshotRepository } from './snapshot.repository';

const LIST = 'archive.jsonl.gz';
/** Prefix of files that exist only while the backup is taken. */
const SPOOL = 'mails.copy.gz';
const FIRST_LIST = 'first-pass.jsonl.gz';
const MAX_PROBLEMS_IN_MANIFEST = 1_000;

export interface BackupSource {
  readonly databaseUrl: string;
  readonly encryptionKey: Buffer;
  readonly stores: ArchiveStores;
  /** The folder of the local archive. */
  readonly archiveDir: string;
  /** Names of the migrations of this version of the service, oldest first. */
  readonly migrations: readonly string[];
  /** Names of all tables of the service. */
  readonly tables: readonly string[];
  readonly timings: BackupTimings;
}

export interface BackupOptions {
  /** Whether mails that are no longer in any archive are deleted from the folder. */
  readonly prune: boolean;
}

export interface TakenBackup {
  readonly manifest: Manifest;
  /** Mails copied by this backup; the others were there already. */
  readonly copied: number;
  readonly copiedBytes: number;
  readonly pruned: number;
}

/**
 * Takes a backup while the service runs.
 *
 * Archived files are copied in two passes. The first is long; the second runs in the database's snapshot, finds nearly
 * all files copied, and so keeps the snapshot short. A mail deleted before its file is read is left out of the tables; a
 * mail encrypted meanwhile is copied in its new form, rows and file: the backup has a file for every row that had one.
 * The manifest is written last, so that an interrupted backup leaves the previous one intact.
 */
export class Backup {
  constructor(
    private readonly source: BackupSource,
    private readonly progress: Progress,
  ) {}

  /** @throws BackupError */
  async take(path: string, options: BackupOptions): Promise<TakenBackup> {
    const database = await SnapshotRepository.open(this.source.databaseUrl);
    try {
      await this.checkSchema(await database.listMigrations());
      const folder = new BackupFolder(path);
      const earlier = await this.prepare(folder);
      return await folder.withArchive((archive) =>
        this.takeInto(folder, archive, earlier, database, options),
      );
    } catch (error) {
      throw error instanceof ArchiveStoreFull || isSpaceExhausted(error) ? noRoomIn(path, error) : error;
    } finally {
      await database.close();
    }
  }

  private async checkSchema(applied: readonly string[]): Promise<void> {
    if (applied.length === 0) throw new BackupError('There is nothing to back up: the database is empty.');
    const { migrations } = this.source;
    if (applied.length !== migrations.length || !applied.every((name) => migrations.includes(name))) {
      throw new BackupError(
        'The database is of another version of Mailroom: take the backup with the version that runs on it.',
      );
    }
  }

  private async prepare(folder: BackupFolder): Promise<Manifest | null> {
    await folder.keepApartFrom(this.source.archiveDir);
    await folder.prepare();
    const earlier = await folder.readManifest();
    if (earlier && earlier.keyCheck !== keyCheckOf(this.source.encryptionKey)) {
      throw new BackupError(
        `${folder.path} holds a backup made with another ENCRYPTION_KEY: name a folder of its own for this one.`,
      );
    }
    await folder.removeSetsExcept(earlier?.id ?? null);
    return earlier;
  }

  private async takeInto(
    folder: BackupFolder,
    archive: ArchiveStore,
    earlier: Manifest | null,
    database: SnapshotRepository,
    options: BackupOptions,
  ): Promise<TakenBackup> {
    const id = newId();
    const set = await folder.beginSet(id);
    const source = {
      stores: this.source.stores,
      findPresentMail: (mail: string) => database.findPresentMail(mail),
    };

    this.progress.step(earlier ? `Adding to the backup of ${earlier.createdAt}` : 'Copying archived mails');
    const { timings } = this.source;
    const { pace } = timings;
    const first = new MailFiles(
      folder,
      archive,
      { ...source, onDeleted: () => undefined, onMoved: () => undefined },
      { store: { pace, totalMs: timings.storeMs } },
    );
    const firstCounts = noCounts();
    await this.spoolMails(folder, set, database);
    const known = earlier
      ? readJsonLines<ArchiveListEntry>(folder.pathOf(earlier.archive.list.file))
      : yieldNothing();
    const firstList = first.take(this.readSpooled(folder, set), known, firstCounts);
    await writeGzip(
      jsonLines(this.countEntries(firstList, firstCounts)),
      folder.pathOf(`${set}/${FIRST_LIST}`),
    );

    const createdAt = new Date().toISOString();
    await database.begin();
    await folder.remove(`${set}/${SPOOL}`);
    await this.spoolMails(folder, set, database);
    const second = new MailFiles(
      folder,
      archive,
      {
        ...source,
        findSuccessorOf: (mail) => database.findSuccessorOf(mail),
        onDeleted: (mail) => database.leaveOutMail(mail),
        onMoved: (mail) => database.renewMail(mail),
      },
      { store: { pace, totalMs: timings.snapshotStoreMs }, slowStores: first.slowStores },
    );
    const secondCounts = noCounts();
    const tally = new ArchiveTally();
    const list = tally.count(
      second.take(
        this.readSpooled(folder, set),
        readJsonLines<ArchiveListEntry>(folder.pathOf(`${set}/${FIRST_LIST}`)),
        secondCounts,
      ),
    );
    const listFile = await writeGzip(
      jsonLines(this.countEntries(list, secondCounts)),
      folder.pathOf(`${set}/${LIST}`),
    );
    const copied = firstCounts.copied + secondCounts.copied;
    const copiedBytes = firstCounts.copiedBytes + secondCounts.copiedBytes;
    this.progress.step(
      `Archive: ${formatCount(tally.mails, 'mail')}, ${formatSize(tally.bytes)}; copied ${formatCount(copied, 'new file')}, ${formatSize(copiedBytes)}`,
    );

    const tables = await this.dumpTables(folder, set, database);
    const sequences = await database.listSequences(tables.map(({ table }) => table));
    await database.end();
    await folder.remove(`${set}/${SPOOL}`);
    await folder.remove(`${set}/${FIRST_LIST}`);

    const manifest: Manifest = {
      format: MANIFEST_FORMAT,
      id,
      createdAt,
      productVersion: SERVICE_VERSION,
      keyCheck: keyCheckOf(this.source.encryptionKey),
      migrations: this.source.migrations,
      database: { tables, sequences, leftOut: LEFT_OUT },
      archive: { list: { file: `${set}/${LIST}`, ...listFile }, ...tally.summary() },
    };
    await folder.publish(manifest, set);
    await folder.removeSetsExcept(id);
    const pruned = options.prune
      ? await folder.prune(readJsonLines<ArchiveListEntry>(folder.pathOf(manifest.archive.list.file)))
      : 0;
    return { manifest, copied, copiedBytes, pruned };
  }

  private async spoolMails(folder: BackupFolder, set: string, database: SnapshotRepository): Promise<void> {
    await writeGzip(database.readMails(), folder.pathOf(`${set}/${SPOOL}`));
  }

  private async *readSpooled(folder: BackupFolder, set: string): AsyncGenerator<MailRow> {
    for await (const line of readLines(folder.pathOf(`${set}/${SPOOL}`))) yield parseMailRow(line);
  }

  private async *countEntries(
    entries: AsyncIterable<ArchiveListEntry>,
    counts: PassCounts,
  ): AsyncGenerator<ArchiveListEntry> {
    for await (const entry of entries) {
      this.progress.count(
        () =>
          `… ${formatCount(counts.mails, 'mail')} looked at, ${counts.copied.toLocaleString('en-US')} copied`,
      );
      yield entry;
    }
  }

  private async dumpTables(
    folder: BackupFolder,
    set: string,
    database: SnapshotRepository,
  ): Promise<DumpedTable[]> {
    const dumped: DumpedTable[] = [];
    const wanted = this.source.tables.filter((table) => !(table in LEFT_OUT));
    for (const found of await database.listTables(wanted)) {
      const { table } = found;
      const columns = dumpedColumns(table, found.columns);
      const copy = database.copy({ ...found, columns });
      const file = `${set}/${table}.copy.gz`;
      const written = await writeGzip(copy.source, folder.pathOf(file));
      dumped.push({ table, columns, rows: copy.rows(), file, ...written });
      this.progress.count(() => `… table ${table}: ${formatCount(copy.rows(), 'row')}`);
    }
    const missing = wanted.filter((table) => !dumped.some((dump) => dump.table === table));
    if (missing.length > 0) throw new BackupError(`The database has no table ${missing.join(', ')}.`);
    const rows = dumped.reduce((sum, table) => sum + table.rows, 0);
    const bytes = dumped.reduce((sum, table) => sum + table.bytes, 0);
    this.progress.step(
      `Database: ${formatCount(rows, 'row')} in ${formatCount(dumped.length, 'table')}, ${formatSize(bytes)} compressed`,
    );
    return dumped;
  }
}

/** The manifest's entry for the archive list. */
class ArchiveTally {
  mails = 0;
  bytes = 0;
  private problemCount = 0;
  private readonly problems: FileProblem[] = [];
  private readonly stores = new Map<string, { storage: string; mails: number; bytes: number }>();

  async *count(entries: AsyncIterable<ArchiveListEntry>): AsyncGenerator<ArchiveListEntry> {
    for await (const entry of entries) {
      const { id: mailId, storage, key, bytes, state, reason } = entry;
      const store = this.stores.get(storage) ?? { storage, mails: 0, bytes: 0 };
      this.stores.set(storage, store);
      store.mails += 1;
      store.bytes += bytes;
      this.mails += 1;
      this.bytes += bytes;
      if (state !== 'sound') {
        this.problemCount += 1;
        if (this.problems.length < MAX_PROBLEMS_IN_MANIFEST) {
          this.problems.push({ mailId, storage, key, problem: state, ...(reason && { reason }) });
        }
      }
      yield entry;
    }
  }

  summary(): Omit<Manifest['archive'], 'list'> {
    const { mails, bytes, problemCount, problems } = this;
    return { mails, bytes, stores: [...this.stores.values()], problemCount, problems };
  }
}

const noRoomIn = (path: string, cause: unknown): BackupError =>
  new BackupError(
    `There is no space left in ${path}. A backup that was there before is as it was; make room and run it again.`,
    1,
    { cause },
  );

const noCounts = (): PassCounts => ({ mails: 0, bytes: 0, copied: 0, copiedBytes: 0 });

async function* yieldNothing(): AsyncGenerator<ArchiveListEntry> {
  yield* [];
}
