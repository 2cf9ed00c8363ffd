import { Injectable, Logger } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { describeError } from '../../platform/logging/describe-error';
import { polledGauge, counter, histogram } from '../../platform/logging/metrics';
import type { WebhookAnswer } from './webhook-formats';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';

/** Scrapes ask for both gauges at once; one query answers both. */
const SHARED_MS = 1_000;

type Backlog = Awaited<ReturnType<WebhookDeliveriesRepository['countBacklog']>>;

/** Attempts by outcome and open deliveries, for Prometheus. */
@Injectable()
export class WebhookMetrics {
  private readonly logger = new Logger(WebhookMetrics.name);
  private readonly attempts: Counter<'outcome'>;
  private readonly durations: Histogram;
  private shared: { readonly at: number; readonly backlog: Promise<Backlog> } | undefined;

  constructor(private readonly deliveries: WebhookDeliveriesRepository) {
    this.attempts = counter({
      name: 'mailroom_webhook_attempts_total',
      help: 'Attempts to deliver to a webhook, by outcome: the class of the answer (2xx, 4xx, ...) or what went wrong',
      labelNames: ['outcome'],
    });
    this.durations = histogram({
      name: 'mailroom_webhook_attempt_duration_seconds',
      help: 'Time of attempts to deliver to a webhook',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.registerGauge(
      'mailroom_webhook_deliveries_open',
      'Deliveries waiting or on their way',
      ({ count }) => count,
    );
    this.registerGauge(
      'mailroom_webhook_delivery_age_seconds',
      'Age of the oldest delivery that is waiting or on its way',
      ({ oldestSeconds }) => oldestSeconds,
    );
  }

  recordAttempt({ status, error, durationMs }: WebhookAnswer): void {
    this.attempts.inc({ outcome: error ?? `${Math.floor(status / 100)}xx` });
    this.durations.observe(durationMs / 1_000);
  }

  private registerGauge(name: string, help: string, valueOf: (backlog: Backlog) => number): void {
    polledGauge(
      { name, help },
      async () => {
        const value = valueOf(await this.readBacklog());
        return (gauge) => gauge.set(value);
      },
      (error) =>
        this.logger.warn(`The open deliveries could not be counted: ${describeError(error).message}`),
    );
  }

  private readBacklog(): Promise<Backlog> {
    const now = performance.now();
    if (!this.shared || now - this.shared.at > SHARED_MS) {
      this.shared = { at: now, backlog: this.deliveries.countBacklog() };
    }
    return this.shared.backlog;
  }
}
