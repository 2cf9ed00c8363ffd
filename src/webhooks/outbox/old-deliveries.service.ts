import { Injectable } from '@nestjs/common';
import { inBatches } from '../../common/database/in-batches';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { KEPT_DAYS } from './webhook-timings';

const DAY_MS = 86_400_000;

/** Deliveries that were over long ago. */
@Injectable()
export class OldDeliveries {
  constructor(private readonly deliveries: WebhookDeliveriesRepository) {}

  /** Removes those of all users that were over 30 days ago, in batches. @returns how many */
  remove(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return inBatches((limit) => this.deliveries.deleteCompletedBefore(before, limit));
  }
}
