import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { LeaseWorker } from '../../platform/database/lease-worker';
import { BullQueues } from '../../platform/redis/bull-queues';
import { AppConfig } from '../../platform/config/app-config';
import { ClaimedDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookSender } from './webhook-sender';
import { MAX_IN_FLIGHT, WebhookTimings } from './webhook-timings';

/** A stopping process that no longer waits for answers still writes down those that came in. */
const LAST_WRITES_MS = 2_000;

/**
 * Sends due deliveries, in every process that runs jobs. A Bull queue wakes it for new ones; it polls for deliveries whose
 * wait is over or whose process has died.
 */
@Injectable()
export class WebhookDeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: LeaseWorker<ClaimedDelivery>;

  constructor(
    private readonly config: AppConfig,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly sender: WebhookSender,
    private readonly queues: BullQueues,
    private readonly timings: WebhookTimings,
  ) {
    this.worker = new LeaseWorker({
      slots: MAX_IN_FLIGHT.process,
      pollMs: timings.pollMs,
      claim: (free) => this.deliveries.claim({ ...MAX_IN_FLIGHT, here: free }, timings.leaseMs),
      // Leases are not renewed: an attempt is over long before its lease.
      run: (delivery, signal) =>
        delivery.deliverable ? this.sender.attempt(delivery, signal) : this.cancel(delivery),
      logger: new Logger(WebhookDeliveryWorker.name),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.runsJobs) this.worker.start();
  }

  /** For a wake-up: looks for due deliveries, once the whole service has started. */
  work(): Promise<void> {
    return this.worker.work();
  }

  /** Waits a while for answers. A delivery without one is given back, and another process sends it again. */
  async beforeApplicationShutdown(): Promise<void> {
    this.worker.stopClaiming();
    await this.queues.stopConsuming();
    await this.worker.stop({ graceMs: this.timings.shutdownMs, abortMs: LAST_WRITES_MS });
  }

  /** Cancels a delivery whose webhook or user is inactive, and whatever else waits for that webhook. */
  private async cancel({ lease, webhook }: ClaimedDelivery): Promise<void> {
    await this.deliveries.cancel([lease]);
    await this.deliveries.cancelUndeliverable([webhook.id]);
  }
}
