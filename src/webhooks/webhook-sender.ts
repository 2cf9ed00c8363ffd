import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditTrail } from '../access/audit-trail.port';
import { Transactions } from '../common/database/transactions';
import { describeError } from '../common/logging/describe-error';
import { WebhookClient } from './webhook-client';
import type { WebhookAnswer } from './webhook-client';
import { ClaimedDelivery, DeliveryLeasesRepository } from './webhook-deliveries.repository';
import { webhookRequest, WebhookRequest } from './webhook-formats';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookTargets } from './webhook-target';
import { AfterAttempt, afterAttempt, maxAttempts, WebhookTimings } from './webhook-timings';

/** The receiver says that it is gone for good (RFC 9110, 15.5.11). */
const GONE = 410;

/**
 * One attempt at a claimed delivery. It is made at least once: a process that ends between sending and writing back
 * leaves a lease, and when that has run out another sends the same event again, with the same `webhook-id`, by which
 * receivers know it. Events reach a receiver in no particular order.
 */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger(WebhookSender.name);

  constructor(
    private readonly leases: DeliveryLeasesRepository,
    private readonly targets: WebhookTargets,
    private readonly client: WebhookClient,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly metrics: WebhookMetrics,
    private readonly timings: WebhookTimings,
  ) {}

  /**
   * Sends, and writes down what came of it. Never throws.
   * @param stop ends it early: a delivery that is not answered by then is given back
   */
  async make(delivery: ClaimedDelivery, stop: AbortSignal): Promise<void> {
    const heldUntil = performance.now() + this.timings.leaseMs;
    const at = new Date();
    // Every attempt it had was lost with a process; perhaps it is what ends them.
    const exhausted = delivery.attempts >= maxAttempts(this.timings);
    const answer = exhausted ? null : await this.send(delivery, at, stop);
    if (answer?.error === 'interrupted') return this.persistently(heldUntil, () => this.giveBack(delivery));
    if (answer) this.metrics.attempted(answer);
    await this.persistently(heldUntil, () => this.writeBack(delivery, at, answer));
  }

  private async send(delivery: ClaimedDelivery, at: Date, stop: AbortSignal): Promise<WebhookAnswer> {
    let request: WebhookRequest;
    try {
      const { eventId, event, occurredAt, data } = delivery.event;
      const target = this.targets.open(delivery.webhook);
      request = webhookRequest({ id: eventId, type: event, occurredAt, data }, target, at);
    } catch (error) {
      this.logger.error(`Delivery ${delivery.lease.id} cannot be made`, error);
      return { status: 0, error: 'not-sent', durationMs: 0 };
    }
    return this.client.post(request, delivery.webhook.userId, stop);
  }

  /** @param answer null when no attempt was left to be made */
  private async writeBack(delivery: ClaimedDelivery, at: Date, answer: WebhookAnswer | null): Promise<void> {
    const { lease, webhook } = delivery;
    await this.transactions.run(async (transaction) => {
      const current = await this.leases.lockWebhook(webhook.id, transaction);
      if (!current) return;
      // What another address said concerns the present one in nothing.
      const gone = answer?.status === GONE && current.sealedTarget === webhook.sealedTarget;
      const planned: AfterAttempt =
        !answer || gone ? { status: 'failed' } : afterAttempt(answer, delivery.attempts + 1, this.timings);
      // Switched off while this was under way: it is not tried again, even if switched on before it would have been.
      const after: AfterAttempt =
        planned.status === 'pending' && !current.isActive ? { status: 'cancelled' } : planned;
      const { status, error, durationMs } = answer ?? {};
      const attempt = answer && {
        at: at.toISOString(),
        status: status!,
        error: error!,
        durationMs: durationMs!,
      };
      const written = await this.leases.writeBack(lease, attempt, after, transaction);
      if (!written || !gone) return;
      await this.leases.switchOff(webhook.id, 'gone', transaction);
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

  private giveBack(delivery: ClaimedDelivery): Promise<void> {
    return this.leases.release([delivery.lease]);
  }

  /** Tries again while the delivery is held: without the database there is nobody else who could. */
  private async persistently(heldUntil: number, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.logger.warn(`The outcome of a delivery was not written: ${describeError(error).message}`);
        if (performance.now() + this.timings.writeAgainMs > heldUntil) return;
        await delay(this.timings.writeAgainMs, undefined, { ref: false });
      }
    }
  }
}
