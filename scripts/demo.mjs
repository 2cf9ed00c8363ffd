import { setTimeout as sleep } from 'node:timers/promises';
import { join, resolve } from 'node:path';
import { Api, ApiFailure } from './demo/api.mjs';
import { fact, step } from './demo/progress.mjs';
import { choosePort, DemoService } from './demo/service.mjs';
import { connectMailbox, demoCredentials, logIn, tour } from './demo/tour.mjs';
import { ROOT, secondsSince, ReadableFailure } from './lib/commands.mjs';
import { runScript, setUp } from './setup.mjs';

const DEFAULT_PORT = 3000;

async function portFromEnvironment() {
  const wanted = Number(process.env.PORT || DEFAULT_PORT);
  const port = await choosePort(wanted);
  if (port !== wanted)
    console.log(`• Port ${wanted} is in use, taking ${port} instead (PORT chooses another)`);
  return port;
}

async function runTour(service, dataDir) {
  const credentials = demoCredentials(dataDir);
  const api = new Api(service.url);
  try {
    await logIn(api, credentials, dataDir);
    const account = await connectMailbox(api);
    await tour(api, account, join(dataDir, 'exports'));
  } catch (error) {
    if (error instanceof ApiFailure) throw service.failure(error.message);
    throw error;
  }
  return credentials;
}

/** Resolves when the person or the system asks this script to end. */
function endRequested() {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => done(signal));
  });
}

/** A request cut off in the middle says nothing to a person; that the service has ended does. */
async function tourOf(service, dataDir) {
  try {
    return await runTour(service, dataDir);
  } catch (error) {
    const ended = await Promise.race([service.ended, sleep(500, null)]);
    if (!ended) throw error;
    throw service.failure(`The service ended during the tour (${ended.signal ?? `exit code ${ended.code}`})`);
  }
}

async function demo() {
  const startedAt = Date.now();
  const once = process.argv.includes('--once');
  if (process.env.NODE_ENV === 'production') {
    throw new ReadableFailure(
      'The demo brings a sandbox mailbox and does not run with NODE_ENV=production: unset it.',
    );
  }
  await setUp();
  const dataDir = resolve(ROOT, process.env.DATA_DIR || 'data');
  const port = await portFromEnvironment();
  const ending = endRequested();
  const service = new DemoService({ port, dataDir });
  const work = async () => {
    await service.waitUntilReady();
    console.log(`• The service is ready (${secondsSince(startedAt)})`);
    const credentials = await tourOf(service, dataDir);
    step('Files');
    fact(`archive  ${resolve(ROOT, process.env.ARCHIVE_DIR || join(dataDir, 'archive'))}`);
    fact(`exports  ${join(dataDir, 'exports')}`);
    fact(`log      ${service.logFile}`);
    if (once) return;
    step('Mailroom is running; Ctrl-C stops it');
    fact(`open           ${service.appUrl}`);
    fact(`log-in         ${credentials.email} / ${credentials.password}`);
    fact(`documentation  ${new URL('/api/docs', service.appUrl)}`);
    const { code, signal } = await service.ended;
    throw service.failure(`The service ended by itself (${signal ?? `exit code ${code}`})`);
  };
  try {
    const outcome = await Promise.race([work(), ending]);
    if (outcome) {
      console.log('\n• Stopping');
      if (once) throw new ReadableFailure(`The tour was interrupted by ${outcome}.`);
    }
  } finally {
    const orderly = await service.stop();
    if (!orderly) {
      console.error(`The service did not stop in order: see ${service.logFile}`);
      process.exitCode = 1;
    }
  }
  if (once) console.log(`\n• Tour finished (${secondsSince(startedAt)})`);
}

await runScript(async () => {
  await demo();
  // Nothing is left to wait for; a keep-alive connection must not hold the script back.
  process.exit();
});
