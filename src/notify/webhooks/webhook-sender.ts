import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { Transactions } from '../../platform/database/transactions';
import { describeError } from '../../platform/logging/describe-error';
import { WebhookClient } from './webhook-client';
import type { WebhookAnswer } from './webhook-formats';
import { ClaimedDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { webhookRequest, WebhookRequest } from './webhook-formats';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookTargets } from './webhook-target';
import { AfterAttempt, afterAttempt, maxAttempts, WebhookTimings } from './webhook-timings';
import { WebhooksRepository } from './webhooks.repository';
import { delay } from '../../platform/concurrency/timers';

/** The receiver is gone for good (RFC 9110, 15.5.11). */
const GONE = 410;

/**
 * Makes one attempt at a claimed delivery. Receivers get an event at least once: a process that ends between sending and
 * writing back leaves a lease, and when that has run out another process sends the same event again, with the same
 * `webhook-id`, by which receivers recognise it. Events reach a receiver in no particular order.
 */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger(WebhookSender.name);

  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly targets: WebhookTargets,
    private readonly client: WebhookClient,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly metrics: WebhookMetrics,
    private readonly timings: WebhookTimings,
  ) {}

  /**
   * Sends the event and records the outcome. Never throws.
   * @param stop ends the attempt early: a delivery without an answer by then is given back
   */
  async attempt(delivery: ClaimedDelivery, stop: AbortSignal): Promise<void> {
    const heldUntil = performance.now() + this.timings.leaseMs;
    const at = new Date();
    // Every attempt was lost with its process; perhaps the delivery is what ends them.
    const exhausted = delivery.attempts >= maxAttempts(this.timings);
    const answer = exhausted ? null : await this.send(delivery, at, stop);
    if (answer?.error === 'interrupted')
      return this.retryWhileHeld(heldUntil, () => this.deliveries.release([delivery.lease]));
    if (answer) this.metrics.recordAttempt(answer);
    await this.retryWhileHeld(heldUntil, () => this.writeBack(delivery, at, answer));
  }

  private async send(delivery: ClaimedDelivery, at: Date, stop: AbortSignal): Promise<WebhookAnswer> {
    let request: WebhookRequest;
    try {
      const { eventId, event, occurredAt, data } = delivery.event;
      const target = this.targets.open(delivery.webhook);
      request = webhookRequest({ id: eventId, type: event, occurredAt, data }, target, at);
    } catch (error) {
      this.logger.error(`Delivery ${delivery.lease.id} cannot be sent`, error);
      return { status: 0, error: 'not-sent', durationMs: 0 };
    }
    return this.client.post(request, delivery.webhook.userId, stop);
  }

  /** @param answer null when no attempt was left */
  private async writeBack(delivery: ClaimedDelivery, at: Date, answer: WebhookAnswer | null): Promise<void> {
    const { lease, webhook } = delivery;
    await this.transactions.run(async (transaction) => {
      const current = await this.webhooks.lockForDelivery(webhook.id, transaction);
      if (!current) return;
      // The owner may have changed the address meanwhile: an answer of the old one says nothing about the new one.
      const gone = answer?.status === GONE && current.sealedTarget === webhook.sealedTarget;
      const planned: AfterAttempt =
        !answer || gone ? { status: 'failed' } : afterAttempt(answer, delivery.attempts + 1, this.timings);
      // Switched off during the attempt: no retry, even if it is switched on again before that would be due.
      const after: AfterAttempt =
        planned.status === 'pending' && !current.isActive ? { status: 'cancelled' } : planned;
      const { status, error, durationMs } = answer ?? {};
      const attempt = answer && {
        at: at.toISOString(),
        status: status!,
        error: error!,
        durationMs: durationMs!,
      };
      const written = await this.deliveries.writeBack(lease, attempt, after, transaction);
      if (written && attempt) await this.webhooks.recordAttempt(webhook.id, attempt, transaction);
      if (!written || !gone) return;
      await this.webhooks.switchOff(webhook.id, 'gone', transaction);
      await this.deliveries.cancelUndeliverable([webhook.id], transaction);
      await this.audit.record(
        {
          action: 'webhook.switched-off',
          userId: webhook.userId,
          target: { type: 'webhook', id: webhook.id },
          details: { reason: 'gone' },
        },
        transaction,
      );
    });
  }

  /** Retries as long as this process holds the delivery: no other process can write the outcome. */
  private async retryWhileHeld(heldUntil: number, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.logger.warn(`Could not write the outcome of a delivery: ${describeError(error).message}`);
        if (performance.now() + this.timings.writeAgainMs > heldUntil) return;
        await delay(this.timings.writeAgainMs, undefined, { ref: false });
      }
    }
  }
}
