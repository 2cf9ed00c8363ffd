import type { Command } from 'commander';
import { realpath } from 'node:fs/promises';
import {
  type ImportTarget,
  PlacedImportsService,
} from '../../archive/imports/in-place/placed-imports.service';
import { type PlacedState, readPlacedState } from '../../archive/imports/in-place/placed-state';
import { delay } from '../../platform/concurrency/timers';
import type { AppConfig } from '../../platform/config/app-config';
import type { JobRecord } from '../../platform/jobs/job-record';
import { JobReader } from '../../platform/jobs/job-reader';
import { JobFinished } from '../../platform/jobs/jobs.errors';
import { JobsService } from '../../platform/jobs/jobs.service';
import { withModule, withServers } from './operator-context';
import { OperatorModule } from './operator.module';

const POLL_MS = 500;
const PROGRESS_MS = 5_000;
/** Time after which a line says that no process has taken the job. */
const UNTAKEN_MS = 15_000;
const FAILURES_SHOWN = 20;
/** Names shown of each reason why items were left out. */
const NAMES_SHOWN = 5;

/** An import that was cancelled, failed, or left out what could not be read. */
export class ImportIncomplete extends Error {
  /** @param exitCode 1: nothing more is imported; 2: some of it could not be read, or it was cancelled */
  constructor(
    message: string,
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}

/** Parts of the service that the command uses. */
export interface ImportServices {
  readonly imports: PlacedImportsService;
  readonly jobs: JobsService;
  readonly reader: JobReader;
}

/**
 * Imports a file or folder where it lies: starts the job, which the running service carries out, and follows it to its end. A
 * job for the same path that is under way is followed instead.
 * @param interrupted aborted when the operator wants to stop: the job is cancelled, and its end awaited
 * @throws ImportIncomplete
 */
export async function importPath(
  given: string,
  account: string,
  { imports, jobs, reader }: ImportServices,
  print: (line: string) => void,
  interrupted: AbortSignal,
): Promise<void> {
  const target = await findTarget(imports, account);
  const { path, state } = await readPath(given, interrupted);
  let jobId = await imports.findOpenJob(target, path);
  if (jobId) print(`${path} is being imported already: following ${jobId}.`);
  else {
    const started = await imports.start(target, path, state, false);
    if (!started)
      throw new ImportIncomplete('The user of the account is inactive or has too many open jobs.', 1);
    ({ jobId } = started);
    print(`${jobId}: importing ${state.files} files, ${state.sizeBytes} bytes, into ${target.email}.`);
  }
  const follow = { userId: target.userId, jobId, print, interrupted };
  report(await followJob(follow, { jobs, reader }), print);
}

async function findTarget(imports: PlacedImportsService, account: string): Promise<ImportTarget> {
  const [target, ...others] = await imports.findTargets(account);
  if (!target) throw new ImportIncomplete(`No account has the id or the address ${account}.`, 1);
  if (others.length === 0) return target;
  const ids = [target, ...others].map(({ accountId }) => accountId).join(', ');
  throw new ImportIncomplete(`Several users have a mailbox ${account}. Give one of these ids: ${ids}`, 1);
}

async function readPath(given: string, signal: AbortSignal): Promise<{ path: string; state: PlacedState }> {
  try {
    const path = await realpath(given);
    const state = await readPlacedState(path, signal);
    if (state) return { path, state };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ImportIncomplete(`${given} cannot be read: ${code ?? String(error)}`, 1);
  }
  throw new ImportIncomplete(`${given} is neither a file nor a folder.`, 1);
}

interface Followed {
  readonly userId: string;
  readonly jobId: string;
  readonly print: (line: string) => void;
  readonly interrupted: AbortSignal;
}

async function followJob(
  { userId, jobId, print, interrupted }: Followed,
  { jobs, reader }: Pick<ImportServices, 'jobs' | 'reader'>,
): Promise<JobRecord> {
  const begun = Date.now();
  let shownAt = begun;
  let isCancelled = false;
  let isUntakenSaid = false;
  for (;;) {
    if (interrupted.aborted && !isCancelled) {
      isCancelled = true;
      print('Cancelling. What is imported stays; the batch under way is completed.');
      await jobs.cancel(userId, jobId).catch((error: unknown) => {
        // It ended meanwhile.
        if (!(error instanceof JobFinished)) throw error;
      });
    }
    const job = await reader.findRecord(userId, jobId);
    if (job.completedAt !== null) return job;
    const now = Date.now();
    if (job.startedAt === null && now - begun > UNTAKEN_MS && !isUntakenSaid) {
      isUntakenSaid = true;
      print('The job waits. It is carried out by a running service that can read this path.');
    }
    if (job.startedAt !== null && now - shownAt >= PROGRESS_MS) {
      shownAt = now;
      print(`${job.processed + job.failed} of about ${job.total} items, ${job.failed} failed`);
    }
    await delay(POLL_MS);
  }
}

/** Prints the counts of an import that has ended. @throws ImportIncomplete */
function report(job: JobRecord, print: (line: string) => void): void {
  const { status, error, errorCode, result } = job;
  const counts = (result ?? {}) as ImportCounts;
  const { items = 0, imported = 0, duplicates = 0, failed = 0 } = counts;
  const { leftOut = {}, leftOutNames = {}, failures = [] } = counts;
  const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  print(
    `${items} items = ${imported} imported + ${duplicates} there already + ${left} left out + ${failed} failed`,
  );
  for (const [reason, count] of Object.entries(leftOut)) {
    const names = (leftOutNames[reason] ?? []).slice(0, NAMES_SHOWN);
    const rest = count > names.length ? ' …' : '';
    print(`  left out: ${count} ${reason}${names.length > 0 ? `: ${names.join(', ')}${rest}` : ''}`);
  }
  for (const failure of failures.slice(0, FAILURES_SHOWN))
    print(`  failed: ${failure.item}: ${failure.reason}`);
  if (failed > FAILURES_SHOWN) print(`  and ${failed - FAILURES_SHOWN} more`);
  if (status === 'cancelled')
    throw new ImportIncomplete('The import was cancelled. Run it again to go on.', 2);
  if (status === 'failed') throw new ImportIncomplete(`The import failed: ${error} (${errorCode})`, 1);
  if (failed > 0) throw new ImportIncomplete(`${failed} of ${items} items could not be read.`, 2);
}

interface ImportCounts {
  readonly items?: number;
  readonly imported?: number;
  readonly duplicates?: number;
  readonly failed?: number;
  readonly leftOut?: Readonly<Record<string, number>>;
  readonly leftOutNames?: Readonly<Record<string, readonly string[]>>;
  readonly failures?: readonly { readonly item: string; readonly reason: string }[];
}

/** @param config read when the command runs, so that `--help` needs none */
export function addImportCommand(
  program: Command,
  config: () => AppConfig,
  print: (line: string) => void,
): void {
  program
    .command('import')
    .description(
      'import a file or folder where it lies; the running service reads it. Exits with 1 if it fails, with 2 if some items could not be read or it was cancelled (Ctrl-C)',
    )
    .argument('<path>', 'a file or folder, at the same path for the service')
    .requiredOption('--account <id or email>', 'the account whose archive it goes into')
    .action(async (path: string, { account }: { account: string }) => {
      const interrupted = new AbortController();
      const stop = (): void => interrupted.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      await withServers(config(), (reached) =>
        withModule(OperatorModule.forImports(reached), (app) => {
          const services = {
            imports: app.get(PlacedImportsService, { strict: false }),
            jobs: app.get(JobsService, { strict: false }),
            reader: app.get(JobReader, { strict: false }),
          };
          return importPath(path, account, services, print, interrupted.signal);
        }),
      );
    });
}
