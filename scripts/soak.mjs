import { join } from 'node:path';
import { ROOT, ReadableFailure, run } from './lib/commands.mjs';
import { ensureTestPeers } from './lib/system-packages.mjs';
import { runScript, say, setUp } from './setup.mjs';

const DEFAULT_MINUTES = 30;

/** A specification run for long; it reads from the environment for how long. */
const spec = (pattern, environment) => (minutes) => ({
  program: join(ROOT, 'node_modules', '.bin', 'jest'),
  args: ['--selectProjects', 'e2e', '--testPathPatterns', pattern, '--forceExit'],
  env: { TEST_TIER: 'all', ...environment(minutes) },
});

/**
 * The long-running parts by name: each gives the program for a number of minutes. A part fails when its program ends with
 * another code than 0.
 *
 * @type {Record<string, (minutes: number) => { program: string, args: string[], env?: Record<string, string> }>}
 */
const PARTS = {
  load: (minutes) => ({ program: 'node', args: ['dist/bench/soak/main.js', String(minutes)] }),
  // Requests to every operation; a failure names its seed.
  fuzz: spec('test/whole-service/fuzz', (minutes) => ({
    FUZZ_REQUESTS: String(Math.ceil(minutes * 20)),
    FUZZ_SEED: String(Math.floor(Math.random() * 1e6)),
  })),
  // Every fault of the provider and of stores, however long that takes.
  faults: spec('test/e2e/(providers/gateway/provider|archive/buckets/store)-faults', () => ({
    FAULTS: 'all',
    STORE_OUTAGE_SECONDS: '30',
  })),
  // Everything at once while parts of the service are killed, frozen and restarted; figures and the seed are printed.
  chaos: spec('test/e2e/platform/jobs/processes-faults', (minutes) => ({
    CHAOS_MINUTES: String(minutes),
    CHAOS_SEED: String(Math.floor(Math.random() * 1e6)),
  })),
};

function readArguments(args) {
  const names = [];
  let minutes = DEFAULT_MINUTES;
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === '--minutes') minutes = Number(args[(at += 1)]);
    else if (args[at] in PARTS) names.push(args[at]);
    else {
      const known = `--minutes <number>, ${Object.keys(PARTS).join(', ')}`;
      throw new ReadableFailure(`Unknown: ${args[at]}. npm run soak takes ${known}.`);
    }
  }
  if (!(minutes > 0)) throw new ReadableFailure('--minutes takes a number above 0.');
  return { names: names.length > 0 ? names : Object.keys(PARTS), minutes };
}

await runScript(async () => {
  const { names, minutes } = readArguments(process.argv.slice(2));
  await setUp();
  await ensureTestPeers(say);
  const failed = [];
  for (const name of names) {
    say(`${name}, ${minutes} minutes`);
    const { program, args, env = {} } = PARTS[name](minutes);
    const { ok } = await run(program, args, { env: { ...process.env, ...env } });
    if (!ok) failed.push(name);
  }
  if (failed.length > 0) throw new ReadableFailure(`Failed: ${failed.join(', ')}.`);
});
