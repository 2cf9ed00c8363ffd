import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchEnvironment } from '../bench-environment';
import type { Figure } from '../report';
import { ServiceProcess } from '../service-process';

const SETTLE_MS = 5_000;

/** Start with the services running, idle memory, and the quick start with its private servers. */
export async function benchStart(environment: BenchEnvironment): Promise<Figure[]> {
  const first = await ServiceProcess.start(environment.environment(null));
  await first.stop();
  const service = await ServiceProcess.start(environment.environment(null));
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const idle = service.memory().now;
  await service.stop();

  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-quick-'));
  chmodSync(dataDir, 0o711);
  try {
    const cold = await ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
    await cold.stop();
    const warm = await ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
    await warm.stop();
    return [
      {
        work: 'start to ready, services running',
        measured: `${(service.startMs / 1000).toFixed(2)} s`,
        budget: '< 2 s',
        met: service.startMs < 2_000,
      },
      { work: 'idle RSS', measured: `${idle.toFixed(0)} MiB`, budget: '< 200 MB', met: idle < 190 },
      {
        work: 'quick start to ready, warm (first run)',
        measured: `${(warm.startMs / 1000).toFixed(2)} s (${(cold.startMs / 1000).toFixed(2)} s)`,
        budget: '< 5 s',
        met: warm.startMs < 5_000,
      },
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
