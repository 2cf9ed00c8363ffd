import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { createApp as CreateApp } from './app.factory';
import { lowerProcessPriority } from './platform/concurrency/thread-priority';
import { isDependencyUnavailable } from './platform/logging/system-errors';
import { describeError } from './platform/logging/describe-error';
import { JsonLogger } from './platform/logging/json-logger';
import type { AppConfig } from './platform/config/app-config';
import { loadConfig } from './platform/config/load-config';
import { startSupportingServices, SupportingServices } from './supporting-services';
import { setTimeout } from './platform/concurrency/timers';

/** Requests and batches in progress get this long to finish before connections are cut. */
const SHUTDOWN_GRACE_MS = 15_000;

/**
 * Threads on which Node calls the file system, counted from its first such call on. A sync waits for the disk, which does
 * in one go what waits together; with Node's own four, reads wait behind syncs as well.
 */
const FILE_THREADS = '16';

async function start(): Promise<void> {
  process.env.UV_THREADPOOL_SIZE ??= FILE_THREADS;
  const initial = loadConfig(process.env);
  const json = new JsonLogger(initial.logging.level);
  Logger.overrideLogger(json);
  const logger = new Logger('Mailroom');
  const { supporting, createApp } = await startWhileLoading(initial, (line) => logger.log(line));
  const { config } = supporting;
  // Only now: the private servers would have inherited it.
  if (!config.runsApi && config.jobs.yield) lowerProcessPriority();
  try {
    const app = await createApp(config, json);
    stopOnSignal(app, supporting, logger);
    await app.listen(config.http.port, config.http.host);
    logger.log(`Listening on ${config.http.host}:${config.http.port} (role ${config.role})`);
  } catch (error) {
    await supporting.stop();
    throw error;
  }
}

/** The application's modules take as long to load as the private servers to start: one happens while the other does. */
async function startWhileLoading(
  initial: AppConfig,
  log: (line: string) => void,
): Promise<{ supporting: SupportingServices; createApp: typeof CreateApp }> {
  let launched = (): void => undefined;
  const loading = new Promise<void>((resolve) => {
    launched = resolve;
  }).then(() => import('./app.factory.js'));
  const [supporting, { createApp }] = await Promise.all([
    startSupportingServices(initial, log, launched),
    loading,
  ]);
  return { supporting, createApp };
}

/** Ends in order: no new work, jobs to the end of their batch, open answers, connections, private services. */
function stopOnSignal(app: NestExpressApplication, supporting: SupportingServices, logger: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.log(`Stopping on ${signal}`);
    const server = app.getHttpServer();
    const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
    await app.close();
    clearTimeout(cut);
    await supporting.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        logger.fatal(error);
        process.exit(1);
      });
    });
  }
}

/** One sentence without the content of any variable. */
function startFailure(error: unknown): string {
  if (isDependencyUnavailable(error)) {
    return 'PostgreSQL or Redis does not answer: check DATABASE_URL and REDIS_URL, and that both are running.';
  }
  return describeError(error).message;
}

start().catch((error: unknown) => {
  // The logger may not exist yet: these are for the person at the terminal.
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
});
