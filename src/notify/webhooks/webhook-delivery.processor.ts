import { Process, Processor } from '@nestjs/bull';
import { WebhookDeliveryWorker } from './webhook-delivery-worker';
import { DELIVERIES_QUEUE, MAX_IN_FLIGHT } from './webhook-timings';

/** Called once for every event that has added deliveries. */
@Processor(DELIVERIES_QUEUE)
export class WebhookDeliveryProcessor {
  constructor(private readonly worker: WebhookDeliveryWorker) {}

  /** Pending while this process is busy, so that further wake-ups go to others. */
  @Process({ concurrency: MAX_IN_FLIGHT.process })
  work(): Promise<void> {
    return this.worker.work();
  }
}
