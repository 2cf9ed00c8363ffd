import { randomBytes, randomUUID } from 'node:crypto';
import { Transactions } from '../../../src/platform/database/transactions';
import { EventDispatcher } from '../../../src/platform/events/event-dispatcher';
import type { DeliveryAttempt, DeliveryStatus } from '../../../src/notify/webhooks/webhook.entity';
import { DELIVERIES_QUEUE } from '../../../src/notify/webhooks/webhook-timings';
import { BullQueues } from '../../../src/platform/redis/bull-queues';
import { WebhookTargets } from '../../../src/notify/webhooks/webhook-target';
import type { TestApp } from '../app';
import type { TestUser } from '../test-user';
import { waitFor } from '../wait';

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly status: DeliveryStatus;
  readonly attempts: DeliveryAttempt[];
  readonly next_attempt_at: Date | null;
  readonly lease_token: string | null;
  readonly completed_at: Date | null;
}

/** A generic webhook that subscribes to completed jobs, with its deliveries. */
export class WebhookFixture {
  readonly id = randomUUID();
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;

  private constructor(
    private readonly app: TestApp,
    private readonly user: TestUser,
  ) {}

  static async add(app: TestApp, user: TestUser, url: string): Promise<WebhookFixture> {
    const webhook = new WebhookFixture(app, user);
    await app.dataSource.query(
      `INSERT INTO webhooks (id, user_id, name, sealed_target, type, events)
       VALUES ($1, $2, 'Test', $3, 'generic', '{job.completed}')`,
      [webhook.id, user.id, webhook.sealed(url)],
    );
    return webhook;
  }

  sealed(url: string): string {
    return this.app.app.get(WebhookTargets).seal({ url, secret: this.secret }, this.id);
  }

  async row(): Promise<any> {
    return (await this.app.dataSource.query('SELECT * FROM webhooks WHERE id = $1', [this.id]))[0];
  }

  async deliveries(): Promise<DeliveryRow[]> {
    return this.app.dataSource.query('SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [
      this.id,
    ]);
  }

  /** Waits until all deliveries are over; wakes the worker all the time, so that no wait depends on its polling. */
  async ended(count = 1): Promise<DeliveryRow[]> {
    return this.until(
      'the deliveries to be over',
      (rows) => rows.length >= count && rows.every(({ completed_at: at }) => at !== null),
    );
  }

  /** Waits until the first delivery has had so many attempts. */
  async attempted(attempts: number): Promise<DeliveryRow> {
    const [row] = await this.until(
      `${attempts} attempts`,
      ([first]) => first !== undefined && first.attempts.length >= attempts && first.lease_token === null,
    );
    return row!;
  }

  private async until(what: string, isSo: (rows: DeliveryRow[]) => boolean): Promise<DeliveryRow[]> {
    return waitFor(what, async () => {
      const rows = await this.deliveries();
      if (isSo(rows)) return rows;
      this.app.app.get(BullQueues).wake(DELIVERIES_QUEUE);
      return undefined;
    });
  }

  /** Dispatches the end of a job of the owner. @returns the data of the event */
  dispatchJobEnd(processed = 1): Promise<Record<string, unknown>> {
    return dispatchJobEnd(this.app, this.user, processed);
  }
}

/** Dispatches the end of a job that does not exist. @returns the data of the event */
export async function dispatchJobEnd(
  app: TestApp,
  user: TestUser,
  processed = 1,
): Promise<Record<string, unknown>> {
  const jobId = randomUUID();
  const data = {
    jobId,
    type: 'bulk_operation',
    status: 'completed',
    accountId: null,
    total: 3,
    processed,
    failed: 0,
    error: null,
  };
  await app.app
    .get(Transactions)
    .run((transaction) =>
      app.app
        .get(EventDispatcher)
        .dispatch({ type: 'job.completed', key: `job-end:${jobId}`, userId: user.id, data }, transaction),
    );
  return data;
}
