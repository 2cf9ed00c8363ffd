import type { Command } from 'commander';
import { resolve } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { ArchiveStores } from '../../archive/files/archive-store.port';
import { BackupTimings } from '../backup/backup-timings';
import { BackupError } from '../backup/backup.errors';
import { FileProblem, Manifest } from '../backup/manifest';
import { formatCount, Progress, formatSize } from '../backup/progress';
import { BackupRestore, Restored, BackupRestoreOptions } from '../backup/backup-restore';
import { Backup, BackupOptions, TakenBackup } from '../backup/backup';
import type { AppConfig } from '../../platform/config/app-config';
import { findEmbeddedServices } from '../../platform/embedded/embedded-services';
import { ENTITIES, MIGRATIONS } from '../../schema';
import { TwoFactorService } from '../../identity/two-factor/two-factor.service';
import { withModule, withServers } from './operator-context';
import { OperatorModule } from './operator.module';

const PROBLEMS_SHOWN = 20;
/** Files these commands create are readable by their owner only. */
const UMASK = 0o077;

export interface BackupTerminal {
  /** Writes one line for the operator. */
  print(line: string): void;
}

/** @param config read when a command runs, so that `--help` needs none */
export function addBackupCommands(program: Command, config: () => AppConfig, terminal: BackupTerminal): void {
  const print = (line: string): void => terminal.print(line);

  program
    .command('backup')
    .description('copy the database and all archived mails into a folder, while the service runs or not')
    .argument('<dir>', 'an empty folder, or one with an earlier backup, to which only new mails are added')
    .option('--prune', 'remove mails from the folder that are in no archive any more', false)
    .action(async (dir: string, options: BackupOptions) => {
      const startedAt = performance.now();
      const path = resolve(dir);
      const loaded = config();
      const taken = await withServers(loaded, (reached) =>
        runForOwnerOnly(() =>
          withModule(OperatorModule.forArchive(reached), (app) =>
            new Backup(
              {
                databaseUrl: reached.databaseUrl,
                encryptionKey: reached.secrets.encryptionKey,
                stores: app.get(ArchiveStores),
                archiveDir: reached.storage.archiveDir,
                migrations: migrationNames(),
                tables: tableNames(),
                timings: new BackupTimings(reached.storage.backupStoreMs),
              },
              new Progress(print),
            ).take(path, options),
          ),
        ),
      );
      printTaken(path, taken, performance.now() - startedAt, print);
      print(keyReminder(loaded));
      endWithProblems(taken.manifest);
    });

  program
    .command('restore')
    .description('restore a backup into an empty installation that is not running')
    .argument('<dir>', 'the folder of the backup')
    .option('--verify-only', 'read the whole backup and change nothing', false)
    .option('--local', 'bring mails of object stores to the local disk', false)
    .option(
      '--new-key',
      'go on with another ENCRYPTION_KEY, without the secrets sealed with the old one',
      false,
    )
    .option(
      '--without-damaged',
      'go on without mails that are missing from the backup or altered in it, or that their object store does not take',
      false,
    )
    .action(async (dir: string, options: BackupRestoreOptions & { verifyOnly: boolean }) => {
      const loaded = config();
      const { encryptionKey } = loaded.secrets;
      const restore = new BackupRestore(resolve(dir), encryptionKey, options, new Progress(print));
      if (options.verifyOnly) {
        const hasKey = await restore.check();
        print('The backup is whole.');
        if (!hasKey) print('Its ENCRYPTION_KEY is not the one of this installation.');
        return;
      }
      // Checked before hours of reading, and again after them.
      await refuseRunningQuickStart(loaded);
      const manifest = await restore.verify(MIGRATIONS);
      await refuseRunningQuickStart(loaded);
      const restored = await withServers(loaded, (reached) =>
        runForOwnerOnly(() =>
          restore.run(manifest, {
            databaseUrl: reached.databaseUrl,
            dataDir: reached.storage.dataDir,
            archiveDir: reached.storage.archiveDir,
            migrations: MIGRATIONS,
            withStores: (work) =>
              withModule(OperatorModule.forArchive(reached), (app) => work(app.get(ArchiveStores))),
            turnOffTwoFactor: () =>
              withModule(OperatorModule.forUsers(reached, { migrate: false }), (app) =>
                app.get(TwoFactorService).turnOffForAll(),
              ),
          }),
        ),
      );
      printRestored(manifest, restored, print);
    });
}

/** Refuses to start while the quick start runs: both would use its servers. */
async function refuseRunningQuickStart({ database, storage }: AppConfig): Promise<void> {
  if (database.url || !(await findEmbeddedServices(storage.dataDir)).databaseUrl) return;
  throw new BackupError(`Mailroom is running in ${storage.dataDir}: stop it, and restore then.`);
}

function printRestored(manifest: Manifest, restored: Restored, print: (line: string) => void): void {
  print(`The backup of ${manifest.createdAt} is restored: start Mailroom. Everybody signs in again.`);
  const { scheduledRules, retentionPolicies } = restored;
  if (scheduledRules + retentionPolicies > 0) {
    print(
      `Once started, it goes on with ${formatCount(scheduledRules, 'scheduled rule')} and ${formatCount(retentionPolicies, 'retention rule')}: stop the installation it was taken from before.`,
    );
  }
  if (restored.doubted > 0) {
    print(
      `Mailroom does not know which messages were offloaded after the backup: retention keeps ${formatCount(restored.doubted, 'mail')} until their messages have been seen in the mailboxes, and files that no mail names stay for 90 days.`,
    );
  }
  const lost = restored.damaged + manifest.archive.problemCount;
  if (lost === 0) return;
  throw new BackupError(
    `${formatCount(lost, 'mail')} could not be restored as archived: their entries are there, their files are not or were altered before the backup.`,
    2,
  );
}

function printTaken(path: string, taken: TakenBackup, ms: number, print: (line: string) => void): void {
  if (taken.pruned > 0) print(`Removed ${formatCount(taken.pruned, 'file')} that no archived mail names`);
  const { problems, problemCount } = taken.manifest.archive;
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) print(describeProblem(problem));
  if (problemCount > PROBLEMS_SHOWN) print(`… and ${problemCount - PROBLEMS_SHOWN} more, see the manifest`);
  const seconds = (ms / 1000).toFixed(1);
  print(`The backup is complete: ${path} (${formatSize(taken.copiedBytes)} copied in ${seconds} s)`);
}

function describeProblem({ problem, key, storage, reason }: FileProblem): string {
  const where = storage === 'local' ? key : `${key} in storage ${storage}`;
  return `${problem}: ${where}${reason === undefined ? '' : ` (${reason})`}`;
}

function endWithProblems({ archive }: Manifest): void {
  if (archive.problemCount === 0) return;
  throw new BackupError(
    `The files of ${formatCount(archive.problemCount, 'mail')} could not be taken as they were archived; everything else is in the backup.`,
    2,
  );
}

/** Reminder to store the key apart from the backup, which it opens. */
function keyReminder({ storage }: AppConfig): string {
  return `The backup does not hold ENCRYPTION_KEY: keep a copy of it in another place (it is in the environment, or in ${storage.dataDir}/secrets.json).`;
}

function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

function tableNames(): string[] {
  return getMetadataArgsStorage()
    .filterTables([...ENTITIES])
    .map(({ name }) => name as string);
}

async function runForOwnerOnly<T>(work: () => Promise<T>): Promise<T> {
  const before = process.umask(UMASK);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}
