import { Injectable } from '@nestjs/common';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { TooManyRequests } from '../../platform/rate-limit/rate-limiter';
import { RedisService } from '../../platform/redis/redis.service';
import type { JobCompleted } from '../../platform/events/events';
import { WebhookClient } from './webhook-client';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { webhookRequest } from './webhook-formats';
import type { DeliveredEvent } from './webhook-formats';
import { WebhookTargets } from './webhook-target';
import type { WebhookEntity } from './webhook.entity';
import { WebhookTargetUnreadable } from './webhooks.errors';
import { WebhooksRepository } from './webhooks.repository';

/** Not a kind of job: receivers recognise the sample by it, and people read "Webhook test completed". */
const SAMPLE = {
  jobId: 'webhook_test-0',
  type: 'webhook_test',
  status: 'completed',
  accountId: null,
  total: 1,
  processed: 1,
  failed: 0,
  error: null,
} satisfies JobCompleted['data'];

/** A `job.completed` event without a job. */
export const sampleEvent = (occurredAt: Date): DeliveredEvent => ({
  id: newId(),
  type: 'job.completed',
  occurredAt,
  data: SAMPLE,
});

const PER_MINUTE = 10;
/** Duration of the lock: longer than a request may take, so that it only runs out after a process died. */
const TEST_SECONDS = 15;

/** Limits tests in all processes together: 10 a minute for a user, one at a time for a webhook. */
@Injectable()
export class WebhookTestLimits {
  private readonly ofUser: RateLimiterRedis;
  private readonly ofWebhook: RateLimiterRedis;

  constructor(redis: RedisService) {
    const limiter = (name: string, points: number, duration: number): RateLimiterRedis =>
      new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: redis.key('webhook-trials', name),
        points,
        duration,
      });
    this.ofUser = limiter('user', PER_MINUTE, 60);
    this.ofWebhook = limiter('webhook', 1, TEST_SECONDS);
  }

  /** @throws TooManyRequests */
  async runWithinLimits<T>(userId: string, webhookId: string, test: () => Promise<T>): Promise<T> {
    await consume(
      this.ofUser,
      userId,
      `A webhook can be tested ${PER_MINUTE} times a minute; wait a little.`,
    );
    await consume(this.ofWebhook, webhookId, 'This webhook is being tested right now.');
    try {
      return await test();
    } finally {
      await this.ofWebhook.delete(webhookId);
    }
  }
}

async function consume(limiter: RateLimiterRedis, key: string, refusalText: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyRequests(refusal.msBeforeNext, refusalText);
  }
}

/** Sends a sample event to a webhook, active or not. */
@Injectable()
export class WebhookTestService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly targets: WebhookTargets,
    private readonly client: WebhookClient,
    private readonly limits: WebhookTestLimits,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends once and adds the attempt to the webhook's deliveries.
   * @returns whether the receiver answered with a 2xx status
   * @throws ResourceNotFound when it is not the user's, WebhookTargetUnreadable, TooManyRequests
   */
  async perform(userId: string, webhookId: string): Promise<boolean> {
    const webhook = await this.webhooks.findOwned(userId, webhookId);
    if (!webhook) throw new ResourceNotFound('webhook');
    return this.limits.runWithinLimits(userId, webhookId, () => this.send(webhook));
  }

  private async send(webhook: WebhookEntity): Promise<boolean> {
    const target = this.targets.openIfReadable(webhook);
    if (!target) throw new WebhookTargetUnreadable();
    const at = new Date();
    const event = sampleEvent(at);
    const { status, error, durationMs } = await this.client.post(
      webhookRequest(event, target, at),
      webhook.userId,
    );
    const success = status >= 200 && status <= 299;
    const attempt = { at: at.toISOString(), status, error, durationMs };
    await this.transactions.run((transaction) =>
      this.deliveries.addFinished(webhook.userId, webhook.id, event, attempt, success, transaction),
    );
    return success;
  }
}
