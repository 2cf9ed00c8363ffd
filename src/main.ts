import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.factory';
import { isDependencyUnavailable } from './common/system-errors';
import { describeError } from './common/logging/describe-error';
import { JsonLogger } from './common/logging/json-logger';
import { loadConfig } from './config/load-config';
import { startSupportingServices, SupportingServices } from './supporting-services';

/** Requests and batches in progress get this long to finish before connections are cut. */
const SHUTDOWN_GRACE_MS = 15_000;

async function start(): Promise<void> {
  const initial = loadConfig(process.env);
  const json = new JsonLogger(initial.logging.level);
  Logger.overrideLogger(json);
  const logger = new Logger('Mailroom');
  const supporting = await startSupportingServices(initial, (line) => logger.log(line));
  const { config } = supporting;
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
