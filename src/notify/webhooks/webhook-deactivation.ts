import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { WebhooksRepository } from './webhooks.repository';

/** Ends the webhooks of users who are being deleted. */
@Injectable()
export class WebhookDeactivation {
  constructor(private readonly webhooks: WebhooksRepository) {}

  /** Switches off all webhooks of a user and cancels their deliveries, also those being sent: their leases are lost. */
  switchOffAll(userId: string, transaction: Transaction): Promise<void> {
    return this.webhooks.switchOffAll(userId, transaction);
  }
}
