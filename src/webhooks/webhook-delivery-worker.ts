import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Ticker } from '../common/concurrency/ticker';
import { describeError } from '../common/logging/describe-error';
import { AppConfig } from '../config/app-config';
import { WebhookDeliveryQueue } from './webhook-delivery-queue';
import { MAX_IN_FLIGHT, WebhookTimings } from './webhook-timings';
import { ClaimedDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookSender } from './webhook-sender';

/** A stopping process that has given up on answers still writes down what came in. */
const LAST_WRITES_MS = 2_000;

/**
 * Makes deliveries that are due, in every process that runs jobs. It is woken for new ones and looks from time to time
 * for those whose wait is over, or whose process is gone. Nothing it depends on stops it for good.
 */
@Injectable()
export class WebhookDeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookDeliveryWorker.name);
  private readonly inFlight = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private ticker: Ticker | undefined;
  private stopListening: (() => Promise<void>) | undefined;
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private stopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly sender: WebhookSender,
    private readonly queue: WebhookDeliveryQueue,
    private readonly timings: WebhookTimings,
  ) {
    // Every request listens; more than ten are not a leak.
    setMaxListeners(MAX_IN_FLIGHT.process, this.stop.signal);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.runsJobs) return;
    this.stopListening = await this.queue.listen(() => this.look());
    this.ticker = new Ticker(this.timings.pollMs, () => Promise.resolve(this.look()), this.logger);
    this.ticker.start();
    this.look();
  }

  /** Waits a while for answers; what is not answered by then is given back and sent again by another process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.ticker?.stop();
    await this.stopListening?.();
    await this.looking;
    const ended = Promise.all([...this.inFlight]);
    await Promise.race([ended, delay(this.timings.shutdownMs, undefined, { ref: false })]);
    this.stop.abort();
    await Promise.race([ended, delay(LAST_WRITES_MS, undefined, { ref: false })]);
  }

  /** Takes what is due, if there is room. One look at a time; what asks for one meanwhile gets another after it. */
  private look(): void {
    this.lookAgain = true;
    this.looking ??= this.lookOften().finally(() => {
      this.looking = undefined;
      // Asked for when it was about to end.
      if (this.lookAgain && !this.stopping) this.look();
    });
  }

  private async lookOften(): Promise<void> {
    try {
      while (this.lookAgain && !this.stopping) {
        this.lookAgain = false;
        await this.takeDue();
      }
    } catch (error) {
      // The next round tries again: the database comes back.
      this.lookAgain = false;
      this.logger.warn(`Deliveries were not looked for: ${describeError(error).message}`);
    }
  }

  private async takeDue(): Promise<void> {
    const here = MAX_IN_FLIGHT.process - this.inFlight.size;
    if (here <= 0) return;
    const claimed = await this.deliveries.claim({ ...MAX_IN_FLIGHT, here }, this.timings.leaseMs);
    for (const delivery of claimed.filter(({ deliverable }) => deliverable)) this.start(delivery);
    const undeliverable = claimed.filter(({ deliverable }) => !deliverable);
    if (undeliverable.length === 0) return;
    await this.deliveries.cancel(undeliverable.map(({ lease }) => lease));
    await this.deliveries.cancelUndeliverable([...new Set(undeliverable.map(({ webhook }) => webhook.id))]);
    // They had taken the place of others.
    this.lookAgain = true;
  }

  private start(delivery: ClaimedDelivery): void {
    const attempt = this.sender.attempt(delivery, this.stop.signal).finally(() => {
      this.inFlight.delete(attempt);
      this.look();
    });
    this.inFlight.add(attempt);
  }
}
