import Redis from 'ioredis';
import { setMaxListeners } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, printReport } from '../report';
import { carryOn } from './activities/carry-on';
import { Journal } from './journal';
import { lookForLeftovers, untilQuiet } from './leftovers';
import { Sampler } from './samples';
import { SoakWorld } from './soak-world';
import { verdicts } from './verdict';

const SAMPLE_MS = 10_000;
/** Collecting garbage changes what is measured: only every so many samples. */
const COLLECT_EVERY = 6;
/** Connections that nobody uses are closed by then. */
const SETTLE_MS = 35_000;
/** Compiled code and caches of bounded size: what may be there afterwards beyond what was before. */
const KEPT_RESIDENT_MIB = 64;
const KEPT_HEAP_MIB = 16;

/** `node dist/bench/soak/main.js 30`: a user-like load for 30 minutes. Ends with 1 when anything was not as it should. */
async function main(minutes: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-soak-'));
  const world = await SoakWorld.start();
  const redis = new Redis(world.environment.services.redisUrl);
  const journal = new Journal();
  try {
    const sampler = new Sampler(world, redis, folder, performance.now());
    console.log(`Samples: ${sampler.path}; log of the service: ${world.logFile}`);
    const idle = await sampler.take(true);
    const signal = AbortSignal.timeout(minutes * 60_000);
    // Whatever rests listens to it.
    setMaxListeners(0, signal);
    const going = carryOn(world, journal, signal);
    await sample(sampler, signal);
    if (process.env.SOAK_HEAP_SNAPSHOT)
      await world.service.probe.heapSnapshot(join(folder, 'end.heapsnapshot'));
    await going;
    await untilQuiet(world, journal);
    await delay(SETTLE_MS);
    const during = [...sampler.samples];
    const end = await sampler.take(true);
    await lookForLeftovers(world, journal);
    journal.expect('exit code', await world.service.stop(), 0);
    return report(minutes, journal, [
      ...verdicts(during),
      {
        work: 'before and once it is quiet again: resident set, heap, handles, Redis keys',
        measured: [idle, end]
          .map(({ rssMib, heapMib, openHandles, redisKeys }) =>
            [rssMib.toFixed(0), heapMib!.toFixed(1), openHandles, redisKeys].join(' / '),
          )
          .join(' → '),
        budget: `≤ ${KEPT_RESIDENT_MIB} MiB and ${KEPT_HEAP_MIB} MiB of heap more`,
        met: end.rssMib - idle.rssMib <= KEPT_RESIDENT_MIB && end.heapMib! - idle.heapMib! <= KEPT_HEAP_MIB,
      },
    ]);
  } finally {
    redis.disconnect();
    await world.stop();
  }
}

/** Every ten seconds until the signal. */
async function sample(sampler: Sampler, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number += 1) {
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
    const { seconds, rssMib, heapMib } = await sampler.take(number % COLLECT_EVERY === 0);
    if (heapMib !== null)
      console.log(`${seconds} s: resident ${rssMib.toFixed(0)} MiB, heap ${heapMib.toFixed(1)} MiB`);
  }
}

function report(minutes: number, journal: Journal, figures: readonly Figure[]): boolean {
  const counts = [...journal.counts].sort(([one], [other]) => one.localeCompare(other));
  const failures = journal.failures.length;
  printReport([
    ...figures,
    ...counts.map(([what, number]) => ({ work: what, measured: String(number), budget: '–' })),
    {
      work: `errors and leftovers in ${minutes} minutes`,
      measured: String(failures),
      budget: '0',
      met: failures === 0,
    },
  ]);
  for (const failure of journal.failures) console.log(`✗ ${failure}`);
  return failures === 0 && figures.every(({ met }) => met !== false);
}

main(Number(process.argv[2] ?? 30)).then(
  (isFine) => process.exit(isFine ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
