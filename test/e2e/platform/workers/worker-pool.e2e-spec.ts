import { getPriority } from 'node:os';
import type { AppConfig } from '../../../../src/platform/config/app-config';
import { WorkerPool } from '../../../../src/platform/workers/worker-pool';

const TASKS = require.resolve('../../../support/workers/hostile-tasks');
const THREADS = 2;

describe('A pool of worker threads', () => {
  let pool: WorkerPool;

  beforeEach(() => {
    pool = new WorkerPool({ workers: { threads: THREADS } } as AppConfig);
  });

  afterEach(() => pool.onApplicationShutdown());

  const answers = (count: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, (_, value) =>
        pool.run<number, number>({ module: TASKS, name: 'answer' }, value),
      ),
    );
  const ended = (task: Promise<unknown>): Promise<string> =>
    task.then(
      () => 'answered',
      ({ code, name }: Error & { code?: string }) => code ?? name,
    );

  it('should lose only the task that runs out of memory', async () => {
    const hoarding = Array.from({ length: THREADS }, () =>
      ended(pool.run({ module: TASKS, name: 'hoard' }, null)),
    );
    // They wait behind those, and are done by the threads that come after.
    expect(await answers(10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await Promise.all(hoarding)).toEqual(
      Array.from({ length: THREADS }, () => 'ERR_WORKER_OUT_OF_MEMORY'),
    );
    expect(await answers(2)).toEqual([0, 1]);
  }, 120_000);

  it('should give requests priority on the processor', async () => {
    const priority = await pool.run<null, number>({ module: TASKS, name: 'priority' }, null);
    expect(priority).toBe(Math.min(19, getPriority() + 10));
  });

  it('should start its threads with any options of the process', async () => {
    process.execArgv.push('--max-old-space-size=4096');
    try {
      expect(await answers(2)).toEqual([0, 1]);
    } finally {
      process.execArgv.pop();
    }
  });

  it('should pass on the error of a system call', async () => {
    expect(await ended(pool.run({ module: TASKS, name: 'readFolder' }, null))).toBe('EISDIR');
  });

  it('should lose only the task that is ended because it hangs', async () => {
    const signal = AbortSignal.timeout(1_000);
    const hanging = Array.from({ length: THREADS }, () =>
      ended(pool.run({ module: TASKS, name: 'spin' }, null, { signal })),
    );
    expect(await answers(10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await Promise.all(hanging)).toEqual(Array.from({ length: THREADS }, () => 'AbortError'));
    expect(await answers(2)).toEqual([0, 1]);
  }, 60_000);
});
