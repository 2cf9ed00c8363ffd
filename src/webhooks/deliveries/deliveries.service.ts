import { Injectable } from '@nestjs/common';
import { ResourceNotFound } from '../../common/http/domain-error';
import type { PageQuery } from '../../common/http/paging/page.dto';
import type { WebhookDeliveryEntity } from '../outbox/webhook-delivery.entity';
import { WebhooksRepository } from '../webhooks.repository';
import { DeliveryRecordsRepository } from './delivery-records.repository';

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly WebhookDeliveryEntity[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** What a webhook was told, and how that went. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly records: DeliveryRecordsRepository,
  ) {}

  /** @throws ResourceNotFound when the webhook is not the user's */
  async list(userId: string, webhookId: string, query: PageQuery): Promise<DeliveryPage> {
    if (!(await this.webhooks.findOwned(userId, webhookId))) throw new ResourceNotFound('webhook');
    const [deliveries, total] = await this.records.pageOwned(userId, webhookId, query);
    return { deliveries, total, page: query.page, limit: query.limit };
  }
}
