import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { nightly } from '../support/nightly';
import { spawnBound } from '../support/run/bound-process';
import { waitFor } from '../support/wait';

const ROOT = join(__dirname, '../..');
const SCRIPT = join(ROOT, 'test/support/run/unfinished-run.mjs');
/** Nothing is printed between the start of the servers and the end of the run. */
const SILENCE_MS = '15000';

interface Started {
  readonly run: ChildProcess;
  readonly folder: string;
  readonly worker: number;
  readonly service: number;
  readonly output: () => string;
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);

/** Every process that works in the folder of a run, or has it in its command line or environment. */
async function processesOf(folder: string): Promise<unknown[]> {
  // A module that Jest cannot load.
  const program = `import('${join(ROOT, 'scripts/lib/test-run.mjs')}').then(({ processesOf }) =>
    console.log(JSON.stringify(processesOf(process.argv[1]).filter(({ pid }) => pid !== process.pid))))`;
  const child = spawnBound(process.execPath, ['-e', program, folder], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  return (JSON.parse(printed) as { command: string }[]).filter(
    ({ command }) => !command.includes('-e import'),
  );
}

/** Starts a run of tests with servers, and waits until they run. */
async function startRun(env: Record<string, string> = {}): Promise<Started> {
  const { MAILROOM_TEST_DATABASE_URL, MAILROOM_TEST_REDIS_URL, TEST_COVERAGE, ...inherited } = process.env;
  const run = spawnBound(process.execPath, [SCRIPT], {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [run.stdout!, run.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const started = await waitFor('the servers of the run', () => {
    const folder = /^folder (.+)$/m.exec(output)?.[1];
    if (folder === undefined || !existsSync(join(folder, 'started'))) {
      if (run.exitCode !== null) throw new Error(`The run ended:\n${output}`);
      return undefined;
    }
    const [worker, service] = JSON.parse(readFileSync(join(folder, 'started'), 'utf8')) as [number, number];
    return { folder, worker, service };
  });
  return { run, ...started, output: () => output };
}

async function hasEnded(run: ChildProcess): Promise<void> {
  if (run.exitCode === null && run.signalCode === null) await once(run, 'close');
}

describe('a run of tests that ends early', () => {
  for (const [signal, test] of [
    ['SIGTERM', it],
    ['SIGINT', nightly],
  ] as const) {
    test(`should leave nothing behind after ${signal}`, async () => {
      const { run, folder } = await startRun();
      expect((await processesOf(folder)).length).toBeGreaterThan(5);
      run.kill(signal);
      await hasEnded(run);
      expect(run.exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(await processesOf(folder)).toEqual([]);
      expect(existsSync(folder)).toBe(false);
    });
  }

  it('should leave nothing behind when a worker of Jest is killed', async () => {
    const { run, folder, worker, output } = await startRun();
    process.kill(worker, 'SIGKILL');
    await hasEnded(run);
    expect(output()).toContain('"ok":false');
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('should leave nothing behind when a test fails and has not stopped its servers', async () => {
    const { run, folder, output } = await startRun({ UNFINISHED: 'fail' });
    await hasEnded(run);
    expect(output()).toContain('It fails.');
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('should end a step that prints nothing any more', async () => {
    const { run, folder, output } = await startRun({ UNFINISHED_SILENCE_MS: SILENCE_MS });
    await hasEnded(run);
    expect(output()).toContain('printed nothing');
    expect(await processesOf(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  nightly(
    'should leave no process behind when it is killed itself, and its folder until the next run',
    async () => {
      const killed = await startRun();
      killed.run.kill('SIGKILL');
      await hasEnded(killed.run);
      await waitFor('the service to end', () => !isAlive(killed.service));
      await waitFor('everything to end', async () => (await processesOf(killed.folder)).length === 0);
      const next = await startRun({ UNFINISHED: 'fail' });
      expect(existsSync(killed.folder)).toBe(false);
      await hasEnded(next.run);
    },
  );
});
