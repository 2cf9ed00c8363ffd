import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { SecretBox, SecretUnreadable } from '../../platform/crypto/secret-box';
import { EgressGuard, EgressRefused } from '../../platform/egress/egress-guard';
import { ValidationFailed } from '../../platform/http/domain-error';
import { SECRET_PREFIX } from './webhook-formats';
import type { WebhookTarget } from './webhook-formats';
import type { WebhookEntity } from './webhook.entity';

/** Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, `whsec_<base64>`. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

type SealedTarget = Pick<WebhookTarget, 'url' | 'secret'>;
type TargetRow = Pick<WebhookEntity, 'id' | 'type' | 'sealedTarget'>;

/** Names of the machine itself (RFC 6761, section 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/i;

/** Addresses and secrets of webhooks, which rows hold sealed. */
@Injectable()
export class WebhookTargets {
  constructor(
    private readonly secrets: SecretBox,
    private readonly guard: EgressGuard,
  ) {}

  /**
   * Refuses addresses that are recognisably out of bounds, without resolving names: the client resolves and checks them
   * with every request.
   * @throws ValidationFailed that names `url`
   */
  check(url: string): void {
    try {
      const { hostname } = this.guard.checkUrl(url);
      this.guard.checkLiteral(LOCALHOST.test(hostname) ? '127.0.0.1' : hostname);
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error;
      const message = 'url must not lead to an address this service does not connect to';
      throw new ValidationFailed([{ field: 'url', message }]);
    }
  }

  /** @param webhookId id of the row: the sealed text opens in no other row */
  seal({ url, secret }: SealedTarget, webhookId: string): string {
    return this.secrets.seal({ url, secret }, webhookId);
  }

  /** @throws SecretUnreadable */
  open({ id, type, sealedTarget }: TargetRow): WebhookTarget {
    return { type, ...this.secrets.open<SealedTarget>(sealedTarget, id) };
  }

  /** @returns null when the configured key does not open it */
  openIfReadable(webhook: TargetRow): WebhookTarget | null {
    try {
      return this.open(webhook);
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }
}
