import type { Type } from '@nestjs/common';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';
import { type ArchiveStores, LOCAL_STORAGE } from '../../archive/files/archive-store.port';
import { LocalArchiveStore } from '../../archive/files/local-archive-store';
import { BackupError } from './backup.errors';
import type { ArchiveListEntry } from './archive-list';
import { BackupFolder } from './backup-folder';
import { isAbsence, readJsonLines } from './files';
import { keyCheckOf } from './manifest';
import type { Manifest } from './manifest';
import { formatCount, Progress, formatSize } from './progress';
import { RestoredMails } from './restored-mails';
import { LostSecrets, BackupRestoreRepository } from './backup-restore.repository';
import { Verification } from './verification';

/** File in the data directory, during the restore of files, that names the backup they come from. */
const MARKER = 'restore.json';

export interface BackupRestoreTarget {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly archiveDir: string;
  /** Migrations of this version of the service, oldest first. */
  readonly migrations: readonly Type<MigrationInterface>[];
  /** Runs `work` with the stores that the restored database names. */
  withStores(work: (stores: ArchiveStores) => Promise<void>): Promise<void>;
  /** Turns two-factor sign-in off in the restored database. @returns addresses of the users who had it on */
  turnOffTwoFactor(): Promise<readonly string[]>;
}

export interface BackupRestoreOptions {
  /** Whether mails of object stores are restored to the local disk. */
  readonly local: boolean;
  /** Whether the restore continues with another key than the backup's, without the secrets sealed with that one. */
  readonly newKey: boolean;
  /** Whether the restore continues without mails that are missing from the backup or altered in it. */
  readonly withoutDamaged: boolean;
}

/** The result of a restore. */
export interface Restored {
  /** Number of mails whose files could not be restored; their rows are restored. */
  readonly damaged: number;
  /**
   * Number of mails that retention keeps until their messages have been seen in the mailbox: an offload since the backup may
   * have moved them.
   */
  readonly doubted: number;
  /** Numbers of rules and retention policies that run by themselves once the service starts. */
  readonly scheduledRules: number;
  readonly retentionPolicies: number;
}

/**
 * Restores a backup into an empty installation: files first, then rows in one transaction. Each step detects earlier
 * progress, so that an interrupted restore continues when the same command is run again.
 */
export class BackupRestore {
  private readonly folder: BackupFolder;
  private readonly verification: Verification;
  /** Number of mails in the restored archive so far. */
  private there = 0;

  constructor(
    path: string,
    private readonly encryptionKey: Buffer,
    private readonly options: BackupRestoreOptions,
    private readonly progress: Progress,
  ) {
    this.folder = new BackupFolder(path);
    this.verification = new Verification(this.folder, progress);
  }

  /**
   * Reads the whole backup and changes nothing.
   * @throws BackupDamaged naming what is missing or altered
   * @throws BackupError when this installation could not restore it
   */
  async verify(migrations: readonly Type<MigrationInterface>[]): Promise<Manifest> {
    const manifest = await this.verification.readManifest();
    this.checkVersion(manifest, migrations);
    this.checkKey(manifest);
    await this.checkContent(manifest);
    return manifest;
  }

  /**
   * Reads the whole backup, whatever installation and version it is from.
   * @returns whether this installation has its key
   * @throws BackupDamaged naming what is missing or altered
   */
  async check(): Promise<boolean> {
    const manifest = await this.verification.readManifest();
    await this.checkContent(manifest);
    return this.hasKeyOf(manifest);
  }

  private hasKeyOf(manifest: Manifest): boolean {
    return manifest.keyCheck === keyCheckOf(this.encryptionKey);
  }

  private async checkContent(manifest: Manifest): Promise<void> {
    await this.verification.checkDatabase(manifest);
    const { count, first } = await this.verification.findDamagedMails(manifest);
    for (const path of first) this.progress.step(`missing or altered: archive/${path}`);
    if (count > 0 && !this.options.withoutDamaged) {
      throw new BackupError(
        `The backup is damaged: ${formatCount(count, 'mail')} missing or altered (first: archive/${first[0]}); run a backup of the running installation again, or restore the rest with --without-damaged.`,
      );
    }
    this.progress.step('Every hash was checked');
  }

  /** @throws BackupError */
  async run(manifest: Manifest, target: BackupRestoreTarget): Promise<Restored> {
    const database = await BackupRestoreRepository.open(target.databaseUrl, target.migrations);
    const mails = new RestoredMails(this.folder);
    try {
      const { unfinished, hasUsers } = await database.readState();
      if (unfinished !== null && unfinished !== manifest.id) {
        throw new BackupError(
          'Another backup is half restored into this database: finish that restore, or begin with an empty database.',
        );
      }
      if (unfinished === null) {
        if (hasUsers) {
          throw new BackupError(
            'The database is not empty: it has users. Restore into an empty one, so that nothing is overwritten.',
          );
        }
        await this.restoreLocalFiles(manifest, target, mails);
        await this.restoreRows(manifest, database);
      }
      await database.migrate();
      await this.restoreObjects(manifest, target, mails, database);
      if (!this.hasKeyOf(manifest)) await this.turnOffTwoFactor(target);
      const doubted = await database.markDoubtful(manifest.id);
      await database.notify(manifest);
      await database.finish(manifest.database.tables.map(({ table }) => table));
      await rm(join(target.dataDir, MARKER), { force: true });
      return { damaged: mails.counts.damaged, doubted, ...(await database.countSchedules()) };
    } finally {
      await database.close();
    }
  }

  private checkVersion(manifest: Manifest, migrations: readonly Type<MigrationInterface>[]): void {
    const known = migrations.map(({ name }) => name);
    if (manifest.migrations.every((name, index) => known[index] === name)) return;
    throw new BackupError(
      `The backup is of version ${manifest.productVersion} of Mailroom, whose database this version does not know: restore it with that version or a later one.`,
    );
  }

  private checkKey(manifest: Manifest): void {
    if (this.hasKeyOf(manifest) || this.options.newKey) return;
    throw new BackupError(
      'ENCRYPTION_KEY is not the one of the backup: set that one (in the environment, or with the secrets.json of that installation in DATA_DIR, in place of the one there), or go on without the sealed secrets with --new-key.',
    );
  }

  /** Whether all mails are restored to the local disk. With a new key the credentials of the object stores cannot be read. */
  private get isLocal(): boolean {
    return this.options.local || this.options.newKey;
  }

  private async *readEntries(
    manifest: Manifest,
    wanted: (entry: ArchiveListEntry) => boolean,
  ): AsyncGenerator<ArchiveListEntry> {
    const list = this.folder.pathOf(manifest.archive.list.file);
    for await (const entry of readJsonLines<ArchiveListEntry>(list)) if (wanted(entry)) yield entry;
  }

  private async restoreLocalFiles(
    manifest: Manifest,
    { dataDir, archiveDir }: BackupRestoreTarget,
    mails: RestoredMails,
  ): Promise<void> {
    const marker = join(dataDir, MARKER);
    await LocalArchiveStore.runWith(archiveDir, async (local) => {
      if ((await readMarker(marker)) !== manifest.id) {
        for await (const { key } of local.list('')) {
          throw new BackupError(
            `The archive directory ${archiveDir} is not empty (${key}): empty it, or name another one in ARCHIVE_DIR.`,
          );
        }
        await mkdir(dataDir, { recursive: true, mode: 0o700 });
        await writeFile(marker, JSON.stringify({ backup: manifest.id }), { mode: 0o600, flush: true });
      }
      const entries = this.readEntries(manifest, ({ storage }) => storage === LOCAL_STORAGE);
      for await (const batch of mails.writeLocal(entries, local)) this.reportMails(batch);
    });
    const { written, writtenBytes } = mails.counts;
    this.progress.step(
      `Archive: wrote ${formatCount(written, 'mail')}, ${formatSize(writtenBytes)}, to ${archiveDir}`,
    );
  }

  private async restoreRows(manifest: Manifest, database: BackupRestoreRepository): Promise<void> {
    const { id, database: dump } = manifest;
    await database.migrateTo(manifest.migrations);
    const lost = await database.load(
      {
        id,
        tables: dump.tables,
        sequences: dump.sequences,
        withoutSecrets: !this.hasKeyOf(manifest),
      },
      ({ file }) => this.folder.pathOf(file),
      ({ table, rows }) => this.progress.count(() => `… table ${table}: ${formatCount(rows, 'row')}`),
    );
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0);
    this.progress.step(
      `Database: loaded ${formatCount(rows, 'row')} in ${formatCount(dump.tables.length, 'table')}`,
    );
    if (lost !== null) this.progress.step(describeLostSecrets(lost));
  }

  /**
   * Turns two-factor sign-in off when its secrets can no longer be opened. The users are reported at once: a restore that
   * continues after an interruption finds none of them.
   */
  private async turnOffTwoFactor(target: BackupRestoreTarget): Promise<void> {
    for (const email of await target.turnOffTwoFactor())
      this.progress.step(`Two-factor sign-in is off for ${email}: to be set up again`);
  }

  private async restoreObjects(
    manifest: Manifest,
    target: BackupRestoreTarget,
    mails: RestoredMails,
    database: BackupRestoreRepository,
  ): Promise<void> {
    if (manifest.archive.stores.every(({ storage }) => storage === LOCAL_STORAGE)) return;
    const entries = this.readEntries(manifest, ({ storage }) => storage !== LOCAL_STORAGE);
    const before = mails.counts.written;
    if (this.isLocal) {
      await LocalArchiveStore.runWith(target.archiveDir, async (local) => {
        for await (const batch of mails.writeLocal(entries, local)) {
          await database.moveToLocal(
            batch.map(({ id }) => id),
            LOCAL_STORAGE,
          );
          this.reportMails(batch);
        }
      });
    } else {
      await target.withStores(async (stores) => {
        for await (const batch of mails.writeToStores(entries, stores)) this.reportMails(batch);
      });
      this.reportUnreached(mails);
    }
    const written = mails.counts.written - before;
    this.progress.step(
      this.isLocal
        ? `Object stores: brought ${formatCount(written, 'mail')} to ${target.archiveDir}`
        : `Object stores: put ${formatCount(written, 'mail')} back, the others were there`,
    );
  }

  /** Reports mails that could not be restored. @throws BackupError unless the restore may continue without them */
  private reportUnreached({ unreached, counts }: RestoredMails): void {
    if (unreached.size === 0) return;
    const all = [...unreached.values()];
    const left = all.reduce((sum, { mails }) => sum + mails, 0);
    const what = `${formatCount(left, 'mail')} of ${formatCount(all.length, 'object store')} could not be put back (${all[0]!.reason})`;
    if (!this.options.withoutDamaged) {
      throw new BackupError(
        `${what}; those of the others were. Run the command again when the store is back, bring the mails to the local disk with --local, or go on without them with --without-damaged.`,
      );
    }
    this.progress.step(what);
    counts.damaged += left;
  }

  private reportMails(batch: readonly ArchiveListEntry[]): void {
    this.there += batch.length;
    this.progress.count(() => `… ${formatCount(this.there, 'mail')} of the archive`);
  }
}

function describeLostSecrets({ mailboxes, stores, webhooks }: LostSecrets): string {
  const lost = [
    formatCount(mailboxes, 'mailbox connection'),
    formatCount(stores, 'object store'),
    `${formatCount(webhooks, 'webhook')} (address and secret)`,
  ];
  return `Secrets of the old key are gone, to be entered again by their users: ${lost.join(', ')}`;
}

async function readMarker(path: string): Promise<string | null> {
  try {
    const { backup } = JSON.parse(await readFile(path, 'utf8')) as { backup: string };
    return backup;
  } catch (error) {
    // A power failure may have cut the marker: every file of the archive has to be checked.
    if (isAbsence(error) || (error as Error).name === 'SyntaxError') return null;
    throw error;
  }
}
