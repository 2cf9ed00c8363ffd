import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nightly } from '../../../support/nightly';
import { spawnBound } from '../../../support/run/bound-process';
import { waitFor } from '../../../support/wait';

const ROOT = join(__dirname, '../../../..');
const SCRIPT = join(ROOT, 'test/support/run/unfinished-run.mjs');
const RUNS = join(ROOT, 'scripts/lib/test-run.mjs');
const COMMANDS = join(ROOT, 'scripts/lib/commands.mjs');

interface Started {
  readonly run: ChildProcess;
  readonly folder: string;
  readonly worker: number;
  readonly service: number;
  readonly output: () => string;
}

/** Evaluates a program that prints JSON: a CommonJS spec cannot load the modules of scripts. */
async function evaluate<T>(program: string, ...args: string[]): Promise<T> {
  const child = spawnBound(process.execPath, ['--input-type=module', '-e', program, '--', ...args], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(printed) as T;
}

/** Every process that works in the folder of a run, or has it in its command line or environment. */
const processesOf = (folder: string): Promise<unknown[]> =>
  evaluate(
    `import { processesOf } from '${RUNS}';
     console.log(JSON.stringify(processesOf(process.argv[1])));`,
    folder,
  );

const runs: ChildProcess[] = [];

/** Starts a run of tests with servers, and waits until they run. */
async function startRun(env: Record<string, string> = {}): Promise<Started> {
  // The folder of a run within that of this run would be too long for the names of sockets.
  const { MAILROOM_TEST_DATABASE_URL, MAILROOM_TEST_REDIS_URL, TEST_COVERAGE, TMPDIR, ...inherited } =
    process.env;
  const run = spawnBound(process.execPath, [SCRIPT], {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runs.push(run);
  let output = '';
  for (const stream of [run.stdout!, run.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const started = await waitFor('the servers of the run', () => {
    const folder = /^folder (.+)$/m.exec(output)?.[1];
    const file = folder && join(folder, 'started');
    const written = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (folder && written.endsWith('\n')) {
      const [worker, service] = JSON.parse(written) as [number, number];
      return { folder, worker, service };
    }
    if (run.exitCode !== null) throw new Error(`The run ended:\n${output}`);
    return undefined;
  });
  return { run, ...started, output: () => output };
}

async function waitForEnd(run: ChildProcess): Promise<void> {
  if (run.exitCode === null && run.signalCode === null) await once(run, 'close');
}

async function expectNothingLeft(folder: string): Promise<void> {
  expect(await processesOf(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
}

describe('a run of tests that ends early', () => {
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.kill('SIGTERM');
      await waitForEnd(run);
    }
  });

  for (const [signal, code, test] of [
    ['SIGTERM', 143, it],
    ['SIGINT', 130, nightly],
  ] as const) {
    test(`should leave nothing behind after ${signal}`, async () => {
      const { run, folder } = await startRun();
      expect((await processesOf(folder)).length).toBeGreaterThan(5);
      run.kill(signal);
      await waitForEnd(run);
      expect(run.exitCode).toBe(code);
      await expectNothingLeft(folder);
    });
  }

  it('should leave nothing behind when a worker of Jest is killed', async () => {
    const { run, folder, worker, output } = await startRun();
    process.kill(worker, 'SIGKILL');
    await waitForEnd(run);
    expect(output()).toContain('"ok":false');
    await expectNothingLeft(folder);
  });

  it('should leave nothing behind when a test fails and has not stopped its servers', async () => {
    const { run, folder, output } = await startRun({ UNFINISHED: 'fail' });
    await waitForEnd(run);
    expect(output()).toContain('It fails.');
    await expectNothingLeft(folder);
  });

  it('should end a step that no longer prints anything', async () => {
    const { ok, output } = await evaluate<{ ok: boolean; output: string }>(
      `import { run } from '${COMMANDS}';
       const options = { capture: true, silenceMs: 500 };
       console.log(JSON.stringify(await run('sh', ['-c', 'echo begun; sleep 60; echo slept'], options)));`,
    );
    expect(ok).toBe(false);
    expect(output).toMatch(/^begun\nEnded, as it had printed nothing for/);
  });

  nightly(
    'should leave no process behind when it is killed itself, and its folder until the next run',
    async () => {
      const killed = await startRun();
      killed.run.kill('SIGKILL');
      await waitForEnd(killed.run);
      await waitFor('the service to end', () => !existsSync(`/proc/${killed.service}/exe`));
      await waitFor('everything to end', async () => (await processesOf(killed.folder)).length === 0);
      const next = await startRun({ UNFINISHED: 'fail' });
      expect(existsSync(killed.folder)).toBe(false);
      await waitForEnd(next.run);
    },
  );
});
