import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import type { ArchiveListEntry } from './archive-list';
import type { BackupFolder } from './backup-folder';
import { BackupDamaged, BackupError } from './backup.errors';
import { batchesOf, measure, readJsonLines } from './files';
import type { Manifest, SetFile } from './manifest';
import { formatCount, Progress, formatSize } from './progress';

const CONCURRENCY = 4;
const BATCH = 256;
/** Number of damaged mails that are named. */
const NAMED = 20;
/** Paths of tables and lists in a set. */
const SET_FILE = /^database\/[A-Za-z0-9-]+\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Verifies a backup: every file must exist and have its recorded hash. */
export class Verification {
  private checked = 0;

  constructor(
    private readonly folder: BackupFolder,
    private readonly progress: Progress,
  ) {}

  /** @throws BackupError when there is no backup, or one that this version cannot read */
  async readManifest(): Promise<Manifest> {
    const manifest = await this.folder.readManifest();
    if (!manifest) throw new BackupError(`There is no backup in ${this.folder.path}.`);
    this.progress.step(
      `Backup of ${manifest.createdAt}: ${formatCount(manifest.archive.mails, 'mail')}, ${formatSize(manifest.archive.bytes)}`,
    );
    return manifest;
  }

  /** @throws BackupDamaged naming the files of the database that are missing or altered */
  async checkDatabase({ database, archive }: Manifest): Promise<void> {
    const wrong: string[] = [];
    for (const file of [...database.tables, archive.list])
      if (!(await this.isSound(file))) wrong.push(file.file);
    if (wrong.length > 0) {
      throw new BackupDamaged(`${wrong.join(', ')} ${wrong.length === 1 ? 'is' : 'are'} missing or altered.`);
    }
  }

  /** Reads every mail. @returns the number of missing or altered mails, and the paths of the first */
  async findDamagedMails({ archive }: Manifest): Promise<{ count: number; first: string[] }> {
    const first: string[] = [];
    let count = 0;
    const entries = readJsonLines<ArchiveListEntry>(this.folder.pathOf(archive.list.file));
    for await (const batch of batchesOf(entries, BATCH)) {
      await forEachConcurrently(batch, CONCURRENCY, async (entry) => {
        if (await this.folder.isSound(entry)) return;
        count += 1;
        if (first.length < NAMED) first.push(entry.path as string);
      });
      this.checked += batch.length;
      this.progress.count(() => `… ${formatCount(this.checked, 'mail')} checked`);
    }
    return { count, first };
  }

  private async isSound({ file, bytes, sha256 }: SetFile): Promise<boolean> {
    if (!SET_FILE.test(file)) return false;
    const found = await measure(this.folder.pathOf(file));
    return found?.bytes === bytes && found.sha256 === sha256;
  }
}
