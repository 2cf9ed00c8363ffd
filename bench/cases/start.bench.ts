import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/service-process';
import type { BenchEnvironment } from '../bench-environment';
import { compare, REFERENCES } from '../references';
import type { Figure } from '../report';
import { SERVICE_NODE } from '../service-node';
import { ServiceProcess } from '../service-process';

const ROOT = join(__dirname, '../../..');
const SETTLE_MS = 5_000;
const QUICK_START_TIMEOUT_MS = 120_000;
const WARM_STARTS = 3;

/** Start with the services running, idle memory, and the quick start with its private servers. */
export async function benchStart(environment: BenchEnvironment): Promise<Figure[]> {
  const unmeasured = await ServiceProcess.start(environment.environment(null));
  await unmeasured.stop();
  const service = await ServiceProcess.start(environment.environment(null));
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const idle = service.memory().now;
  await service.stop();

  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-quick-'));
  chmodSync(dataDir, 0o711);
  try {
    const first = await quickStart(dataDir);
    const warm: number[] = [];
    for (let n = 0; n < WARM_STARTS; n += 1) warm.push(await quickStart(dataDir));
    const best = Math.min(...warm);
    return [
      {
        work: 'start to ready, services running',
        measured: `${(service.startMs / 1000).toFixed(2)} s`,
        budget: '< 2 s',
        met: service.startMs < 2_000,
      },
      { work: 'idle RSS', measured: `${idle.toFixed(0)} MiB`, budget: '< 200 MB', met: idle < 190 },
      {
        work: 'quick start, from `npm run demo` to ready, warm (first run)',
        measured: `${best.toFixed(2)} s, at most ${Math.max(...warm).toFixed(2)} s (${first.toFixed(2)} s)`,
        compared: compare(REFERENCES.quickStart, best),
        budget: '≤ 2 s',
        met: best <= 2,
      },
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** With npm, the checks of the set-up, the private servers and the sandbox mailbox. @returns seconds */
async function quickStart(dataDir: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const npm = spawn('npm', ['run', '--silent', 'demo'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: [dirname(SERVICE_NODE), process.env.PATH].join(delimiter),
      DATA_DIR: dataDir,
      PORT: String(port),
    },
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => npm.once('exit', resolve));
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
  try {
    while (!(await isReady())) {
      if (npm.exitCode !== null) throw new Error(`npm run demo ended with code ${npm.exitCode}`);
      if (performance.now() - startedAt > QUICK_START_TIMEOUT_MS)
        throw new Error('The demo was not ready in time');
      await sleep(10);
    }
    return (performance.now() - startedAt) / 1000;
  } finally {
    // Ctrl-C reaches the whole group of a terminal's foreground.
    if (npm.exitCode === null) process.kill(-npm.pid!, 'SIGINT');
    await ended;
  }
}
