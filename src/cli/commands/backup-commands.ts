import type { Command } from 'commander';
import { resolve } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { ArchiveStores } from '../../archive/store/archive-store.port';
import { BackupError } from '../../backup/backup.errors';
import { FileProblem, Manifest } from '../../backup/set/manifest';
import { counted, Progress, sized } from '../../backup/set/progress';
import { Backup, BackupOptions, TakenBackup } from '../../backup/taking/backup';
import type { AppConfig } from '../../config/app-config';
import { ENTITIES, MIGRATIONS } from '../../schema';
import { ArchiveAccessModule } from './archive-access.module';
import { withModule, withServers } from './operator-context';

const PROBLEMS_SHOWN = 20;
/** Everything these commands create is for its owner only. */
const UMASK = 0o077;

export interface BackupTerminal {
  /** Writes one line for the operator. */
  print(line: string): void;
}

/** @param config read when a command runs, so that `--help` needs none */
export function addBackupCommands(
  program: Command,
  config: () => AppConfig,
  terminal: BackupTerminal,
): void {
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
        forOwnerOnly(() =>
          withModule(ArchiveAccessModule.with(reached), (app) =>
            new Backup(
              {
                databaseUrl: reached.databaseUrl,
                encryptionKey: reached.secrets.encryptionKey,
                stores: app.get(ArchiveStores),
                migrations: migrationNames(),
                tables: tableNames(),
              },
              new Progress(print),
            ).take(path, options),
          ),
        ),
      );
      tellTaken(path, taken, performance.now() - startedAt, print);
      print(whereTheKeyIs(loaded));
      endWithProblems(taken.manifest);
    });
}

function tellTaken(path: string, taken: TakenBackup, ms: number, print: (line: string) => void): void {
  if (taken.pruned > 0) print(`Removed ${counted(taken.pruned, 'file')} that no archived mail names`);
  const { problems, problemCount } = taken.manifest.archive;
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) print(described(problem));
  if (problemCount > PROBLEMS_SHOWN) print(`… and ${problemCount - PROBLEMS_SHOWN} more, see the manifest`);
  const seconds = (ms / 1000).toFixed(1);
  print(`The backup is complete: ${path} (${sized(taken.copiedBytes)} copied in ${seconds} s)`);
}

function described({ problem, key, storage, reason }: FileProblem): string {
  const where = storage === 'local' ? key : `${key} in storage ${storage}`;
  return `${problem}: ${where}${reason === undefined ? '' : ` (${reason})`}`;
}

function endWithProblems({ archive }: Manifest): void {
  if (archive.problemCount === 0) return;
  throw new BackupError(
    `The files of ${counted(archive.problemCount, 'mail')} could not be taken as they were archived; everything else is in the backup.`,
    2,
  );
}

/** The key is kept apart from what it opens. */
function whereTheKeyIs({ storage }: AppConfig): string {
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

async function forOwnerOnly<T>(work: () => Promise<T>): Promise<T> {
  const before = process.umask(UMASK);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}
