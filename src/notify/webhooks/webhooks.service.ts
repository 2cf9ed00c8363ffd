import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { deleteInBatches } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import type { PageQuery } from '../../platform/validation/page.dto';
import type { WebhookEvent } from '../../platform/events/events';
import { UserLocks } from '../../identity/users/user-locks';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { newWebhookSecret, WebhookTargets } from './webhook-target';
import { KEPT_DAYS } from './webhook-timings';
import type { WebhookDeliveryEntity, WebhookEntity, WebhookType } from './webhook.entity';
import { MAX_WEBHOOKS, WebhookLimit, WebhookTargetUnreadable } from './webhooks.errors';
import { WebhooksRepository } from './webhooks.repository';

export interface WebhookFields {
  readonly name: string;
  /** http or https, without credentials. */
  readonly url: string;
  /** generic unless given. */
  readonly type?: WebhookType;
  readonly events: WebhookEvent[];
}

/** A webhook as its owner sees it. */
export interface Webhook extends Omit<WebhookEntity, 'sealedTarget'> {
  /** Empty when it cannot be read with the configured key. */
  readonly url: string;
  readonly secret: string | null;
}

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly WebhookDeliveryEntity[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

const DAY_MS = 86_400_000;

/** A user's webhooks and their deliveries. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly userLocks: UserLocks,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly targets: WebhookTargets,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** Newest first. */
  async list(userId: string): Promise<Webhook[]> {
    return (await this.webhooks.listOwned(userId)).map((webhook) => this.openWebhook(webhook));
  }

  /** @throws ValidationFailed for an address out of bounds, WebhookLimit */
  async create(userId: string, { name, url, type = 'generic', events }: WebhookFields): Promise<Webhook> {
    this.targets.check(url);
    const id = newId();
    const secret = type === 'generic' ? newWebhookSecret() : null;
    const sealedTarget = this.targets.seal({ url, secret }, id);
    return this.transactions.run(async (transaction) => {
      await this.userLocks.lock(userId, transaction);
      const webhook = { id, userId, name, type, events, sealedTarget };
      const created = await this.webhooks.insertBelow(MAX_WEBHOOKS, webhook, transaction);
      if (!created) throw new WebhookLimit();
      await this.record('webhook.created', created, { type, events }, transaction);
      return this.openWebhook(created);
    });
  }

  /**
   * Changes the given fields. A webhook that becomes generic gets a secret, one that was generic loses its secret.
   * @throws ValidationFailed for an address out of bounds, ResourceNotFound when it is not the user's,
   * WebhookTargetUnreadable when its address must be given again
   */
  async update(userId: string, webhookId: string, changes: Partial<WebhookFields>): Promise<Webhook> {
    if (changes.url !== undefined) this.targets.check(changes.url);
    return this.transactions.run(async (transaction) => {
      const webhook = await this.lock(userId, webhookId, transaction);
      const { name = webhook.name, events = webhook.events, type = webhook.type } = changes;
      const before = this.targets.openIfReadable(webhook);
      const url = changes.url ?? before?.url;
      if (url === undefined) throw new WebhookTargetUnreadable();
      const secret = type === 'generic' ? (before?.secret ?? newWebhookSecret()) : null;
      const sealedTarget = this.targets.seal({ url, secret }, webhookId);
      const definition = { name, events, type, sealedTarget };
      const updated = await this.webhooks.redefineOwned(userId, webhookId, definition, transaction);
      if (!updated) throw new ResourceNotFound('webhook');
      const fields = Object.entries(changes).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      await this.record('webhook.changed', updated, { fields }, transaction);
      return this.openWebhook(updated);
    });
  }

  /**
   * Switches it on or off, whichever it is not. Switching it off cancels open deliveries.
   * @throws ResourceNotFound when it is not the user's
   */
  async toggle(userId: string, webhookId: string): Promise<Webhook> {
    return this.transactions.run(async (transaction) => {
      const { isActive } = await this.lock(userId, webhookId, transaction);
      const toggled = await this.webhooks.switchOwned(userId, webhookId, !isActive, transaction);
      if (!toggled) throw new ResourceNotFound('webhook');
      const cancelled = isActive ? await this.deliveries.cancelOpen(userId, webhookId, transaction) : 0;
      const action = isActive ? 'webhook.switched-off' : 'webhook.switched-on';
      await this.record(action, toggled, isActive ? { cancelled } : {}, transaction);
      return this.openWebhook(toggled);
    });
  }

  /** Deletes it with its deliveries. @throws ResourceNotFound when it is not the user's */
  async delete(userId: string, webhookId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const deleted = await this.webhooks.deleteOwned(userId, webhookId, transaction);
      if (!deleted) throw new ResourceNotFound('webhook');
      await this.record('webhook.deleted', { id: webhookId, userId }, {}, transaction);
    });
  }

  /** @throws ResourceNotFound when the webhook is not the user's */
  async listDeliveries(userId: string, webhookId: string, query: PageQuery): Promise<DeliveryPage> {
    if (!(await this.webhooks.findOwned(userId, webhookId))) throw new ResourceNotFound('webhook');
    const [deliveries, total] = await this.deliveries.findOwnedPage(userId, webhookId, query);
    return { deliveries, total, page: query.page, limit: query.limit };
  }

  /** Deletes deliveries of all users that ended more than 30 days ago, in batches. @returns how many */
  deleteOldDeliveries(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return deleteInBatches((limit) => this.deliveries.deleteCompletedBefore(before, limit));
  }

  private async lock(userId: string, webhookId: string, transaction: Transaction): Promise<WebhookEntity> {
    const webhook = await this.webhooks.lockOwned(userId, webhookId, transaction);
    if (!webhook) throw new ResourceNotFound('webhook');
    return webhook;
  }

  private openWebhook(webhook: WebhookEntity): Webhook {
    const { sealedTarget: _sealed, ...fields } = webhook;
    const target = this.targets.openIfReadable(webhook);
    return { ...fields, url: target?.url ?? '', secret: target?.secret ?? null };
  }

  private record(
    action: string,
    { id, userId }: Pick<WebhookEntity, 'id' | 'userId'>,
    details: Readonly<Record<string, string | number | boolean | readonly string[]>>,
    transaction: Transaction,
  ): Promise<void> {
    return this.audit.record({ action, userId, target: { type: 'webhook', id }, details }, transaction);
  }
}
