import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box';
import type { WebhookTarget } from '../formats/webhook-request';
import type { WebhookEntity } from '../webhook.entity';

type SealedTarget = Pick<WebhookTarget, 'url' | 'secret'>;

/** Addresses and secrets of webhooks, which rows hold sealed only. */
@Injectable()
export class WebhookTargets {
  constructor(private readonly secrets: SecretBox) {}

  /** @param webhookId of the row it is for: it opens in no other */
  seal({ url, secret }: SealedTarget, webhookId: string): string {
    return this.secrets.seal({ url, secret }, webhookId);
  }

  /** @throws SecretUnreadable */
  open({ id, type, sealedTarget }: Pick<WebhookEntity, 'id' | 'type' | 'sealedTarget'>): WebhookTarget {
    return { type, ...this.secrets.open<SealedTarget>(sealedTarget, id) };
  }
}
