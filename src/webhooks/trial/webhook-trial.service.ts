import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import { ResourceNotFound } from '../../common/http/domain-error';
import { DeliveryRecordsRepository } from '../deliveries/delivery-records.repository';
import { webhookRequest } from '../formats/webhook-request';
import { WebhookClient } from '../outbox/webhook-client';
import { WebhookTargets } from '../targets/webhook-targets';
import type { WebhookEntity } from '../webhook.entity';
import { WebhookTargetUnreadable } from '../webhooks.errors';
import { WebhooksRepository } from '../webhooks.repository';
import { sampleEvent } from './sample-event';
import { TrialLimits } from './trial-limits';

/** Tells a webhook, active or not, of a sample event, and sees what it says. */
@Injectable()
export class WebhookTrial {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveryRecordsRepository,
    private readonly targets: WebhookTargets,
    private readonly client: WebhookClient,
    private readonly limits: TrialLimits,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends once, and lists the attempt among the webhook's deliveries.
   * @returns whether the receiver answered with 2xx
   * @throws ResourceNotFound when it is not the user's, WebhookTargetUnreadable, TooManyRequests
   */
  async perform(userId: string, webhookId: string): Promise<boolean> {
    const webhook = await this.webhooks.findOwned(userId, webhookId);
    if (!webhook) throw new ResourceNotFound('webhook');
    return this.limits.within(userId, webhookId, () => this.send(webhook));
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
