import type { INestApplicationContext } from '@nestjs/common';
import { createApp } from '../src/app.factory';
import { Transactions } from '../src/platform/database/transactions';
import { JsonLogger } from '../src/platform/logging/json-logger';
import { loadConfig } from '../src/platform/config/load-config';
import { EventDispatcher } from '../src/platform/events/event-dispatcher';
import type { BenchEnvironment } from './bench-environment';

/** The service's own parts in this process, over the run's servers; it answers no requests and runs no jobs. */
export async function serviceContext(environment: BenchEnvironment): Promise<INestApplicationContext> {
  const config = loadConfig({ ...environment.environment(null), ROLE: 'api' });
  const app = await createApp(config, new JsonLogger('warn'));
  return app.init();
}

/** The end of a job of the user, as far as events are concerned, in a transaction of its own. */
export async function tellJobEnd(
  context: INestApplicationContext,
  userId: string,
  jobId: string,
): Promise<void> {
  const data = {
    jobId,
    type: 'bulk_operation',
    status: 'completed',
    accountId: null,
    total: 1,
    processed: 1,
    failed: 0,
    error: null,
  };
  await context
    .get(Transactions)
    .run((transaction) =>
      context
        .get(EventDispatcher)
        .dispatch({ type: 'job.completed', key: `job-end:${jobId}`, userId, data }, transaction),
    );
}
