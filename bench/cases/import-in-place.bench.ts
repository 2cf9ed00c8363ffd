import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { cpuPerItem, cpuTimes } from '../cpu-times';
import { against, type Figure } from '../report';
import { ServiceProcess } from '../service-process';
import { renewSession } from '../soak/activities/comings-and-goings';
import { generateMbox, messagesOf, scaled } from './import.bench';

const CLI = join(__dirname, '../../src/cli/main.js');
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Messages a second. */
const GOAL = 800;
const AVERAGE_BYTES = 38 * 1024;
const IN_A_FOLDER = 500;
const SAMPLE_MS = 1_000;
/** Samples between two lines on the progress of a long import. */
const SAMPLES_A_LINE = 60;
/** The memory that 100 GB of mbox may need. */
const MOST_MIB = 1024;

/** Imports a path as an operator does. @returns the record of its job */
async function importInPlace(
  stage: Stage,
  environment: Record<string, string>,
  path: string,
): Promise<Record<string, any>> {
  const env = { PATH: process.env.PATH, ...environment };
  const output = await promisify(execFile)(
    process.execPath,
    [CLI, 'import', path, '--account', stage.accountId],
    {
      env,
      maxBuffer: 64 * MIB,
    },
  ).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`the import failed: ${error.stdout ?? ''} ${error.stderr ?? ''}`);
  });
  const [jobId] = /import_mbox-\d+/.exec(output.stdout) ?? [];
  if (jobId === undefined) throw new Error(`the import began no job: ${output.stdout}`);
  // The command waits for the end of its job, longer than the access token of the session lasts.
  await renewSession(stage.user);
  return stage.user.jobEnd(jobId);
}

const secondsOf = (job: Record<string, any>): number =>
  (Date.parse(String(job.completed_at)) - Date.parse(String(job.created_at))) / 1000;

/** A folder of 4,000 EML files on the server's disk. */
export async function benchImportInPlace(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1 });
  const folder = mkdtempSync(join(environment.directory, 'in-place-'));
  const messages = scaled(4_000);
  try {
    let [number, bytes] = [0, 0];
    for (const [, ...lines] of messagesOf(messages, AVERAGE_BYTES)) {
      const below = join(folder, `folder-${Math.floor(number / IN_A_FOLDER)}`);
      mkdirSync(below, { recursive: true });
      const mail = lines.join('\r\n');
      writeFileSync(join(below, `${(number += 1)}.eml`), mail);
      bytes += mail.length;
    }
    const { service, sandbox } = stage;
    service.resetPeak();
    const before = service.memory().now;
    const cpuBefore = cpuTimes(service.pid, sandbox.pid);
    const job = await importInPlace(stage, environment.environment(sandbox), folder);
    const cpu = cpuPerItem(cpuBefore, cpuTimes(service.pid, sandbox.pid), messages);
    if (job.result.imported !== messages) throw new Error(`the import ended as ${JSON.stringify(job)}`);
    const rate = messages / secondsOf(job);
    const { peak } = service.memory();
    return [
      {
        work: `import of a folder in place: ${messages} EML files, ${(bytes / MIB).toFixed(0)} MiB`,
        measured: `${rate.toFixed(0)} msg/s, peak RSS ${peak.toFixed(0)} MiB (${before.toFixed(0)} before), ${against(rate, GOAL)}; ${cpu}`,
        budget: `≥ ${GOAL} msg/s, < 400 MB`,
        met: rate >= GOAL && peak < 381,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await stage.stop();
  }
}

/** Watches the memory of a service, which may be another process after a kill, and its job. */
class Watch {
  readonly samples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly service: () => ServiceProcess,
    private readonly progress: () => Promise<string>,
  ) {
    this.timer = setInterval(() => void this.look(), SAMPLE_MS);
  }

  stop(): { highest: number; early: number; late: number } {
    clearInterval(this.timer);
    const tenth = Math.max(1, Math.floor(this.samples.length / 10));
    const mean = (some: readonly number[]): number =>
      some.reduce((sum, one) => sum + one, 0) / Math.max(1, some.length);
    // The first tenth is the start of the service.
    return {
      highest: Math.max(0, ...this.samples),
      early: mean(this.samples.slice(tenth, 3 * tenth)),
      late: mean(this.samples.slice(-2 * tenth)),
    };
  }

  private async look(): Promise<void> {
    try {
      this.samples.push(this.service().memory().now);
      if (this.samples.length % SAMPLES_A_LINE === 0)
        console.log(
          `  ${this.samples.length} s: ${this.samples.at(-1)!.toFixed(0)} MiB, ${await this.progress()}`,
        );
    } catch {
      // It has just been killed.
    }
  }
}

/**
 * 100 GB of mbox in place, killed in the middle: a folder that has one mbox file of 10 GB under ten names, as hard links, so that
 * it takes 10 GB of disk, its archive as much, and every byte is read. `BENCH_HUGE_GB` and `BENCH_HUGE_UNIQUE_GB` are other sizes.
 */
export async function benchImportHuge(environment: BenchEnvironment): Promise<Figure[]> {
  const total = Number(process.env.BENCH_HUGE_GB ?? 100) * 1e9;
  const unique = Math.min(total, Number(process.env.BENCH_HUGE_UNIQUE_GB ?? 10) * 1e9);
  const { bavail, bsize } = statfsSync(environment.directory);
  if (bavail * bsize < 3 * unique)
    throw new Error(`${((3 * unique) / GIB).toFixed(0)} GiB of disk are needed`);
  const stage = await setStage(environment, { messages: 1 });
  const folder = mkdtempSync(join(environment.directory, 'huge-'));
  const database = new Client({ connectionString: environment.services.databaseUrl });
  let { service } = stage;
  try {
    await database.connect();
    await database.query('UPDATE users SET storage_quota_bytes = $1 WHERE id = $2', [
      10 * total,
      stage.user.id,
    ]);
    const messages = Math.ceil(unique / AVERAGE_BYTES);
    const first = join(folder, '1.mbox');
    await generateMbox(first, messages, AVERAGE_BYTES);
    const { size } = statSync(first);
    const names = Math.max(1, Math.round(total / size));
    for (let name = 2; name <= names; name += 1) linkSync(first, join(folder, `${name}.mbox`));
    console.log(`  ${names} names of ${messages} messages, ${((names * size) / 1e9).toFixed(1)} GB`);

    const read = async (): Promise<{ processed: number; total: number }> => {
      const { rows } = await database.query(
        `SELECT processed, total FROM jobs WHERE user_id = $1 AND type = 'import_mbox' ORDER BY number DESC LIMIT 1`,
        [stage.user.id],
      );
      return rows[0] ?? { processed: 0, total: 0 };
    };
    const watch = new Watch(
      () => service,
      async () => `${(await read()).processed} of ${names * messages} messages`,
    );
    const settings = environment.environment(stage.sandbox);
    const importing = importInPlace(stage, settings, folder);
    const ended = importing.then(
      () => true,
      () => true,
    );
    const isMidway = async (): Promise<boolean> => (await read()).processed >= (names * messages) / 2;
    while (!(await Promise.race([ended, isMidway()])))
      await new Promise((resolve) => setTimeout(resolve, 100));
    if ((await read()).processed === names * messages) throw new Error('the import ended before the kill');
    await service.kill();
    console.log('  killed in the middle, and started again');
    service = await ServiceProcess.start(settings);
    stage.user.api.baseUrl = service.url;
    const job = await importing;
    const { highest, early, late } = watch.stop();
    const { items, imported, duplicates, failed } = job.result as Record<string, number>;
    const { rows } = await database.query(
      'SELECT count(*)::int AS mails, count(DISTINCT sha256)::int AS different FROM archived_mails WHERE account_id = $1',
      [stage.accountId],
    );
    const isWhole =
      items === names * messages &&
      imported! + duplicates! === items &&
      failed === 0 &&
      rows[0].mails === messages &&
      rows[0].different === messages;
    if (!isWhole)
      throw new Error(
        `the import ended as ${JSON.stringify(job.result)}, archived ${JSON.stringify(rows[0])}`,
      );
    const seconds = secondsOf(job);
    return [
      {
        work: `import in place of ${((names * size) / 1e9).toFixed(0)} GB of mbox, killed in the middle: ${items} messages, ${messages} different`,
        measured:
          `${(items / seconds).toFixed(0)} msg/s, ${((names * size) / MIB / seconds).toFixed(0)} MiB/s, ${seconds.toFixed(0)} s with the kill; ` +
          `RSS at most ${highest.toFixed(0)} MiB, ${early.toFixed(0)} early and ${late.toFixed(0)} late; none lost, none twice`,
        budget: `< ${MOST_MIB} MiB, flat`,
        met: highest < MOST_MIB,
      },
    ];
  } finally {
    await database.end();
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
    await stage.stop();
  }
}
