import { createHmac } from 'node:crypto';
import type { ToldEvent, WebhookRequest } from './webhook-request';

/** Secrets begin with it; what follows is the key of Standard Webhooks in base64. */
export const SECRET_PREFIX = 'whsec_';

/**
 * `{id, event, timestamp, data}` as JSON, signed twice. `X-Webhook-Signature` is the HMAC-SHA256 of the body in lowercase
 * hex, keyed with the whole secret as text; `webhook-signature` that of `<id>.<seconds>.<body>` in base64, keyed with the
 * bytes the secret stands for, as Standard Webhooks 1.0 has it.
 */
export function genericRequest(
  { id, type, occurredAt, data }: ToldEvent,
  secret: string,
  attemptedAt: Date,
): Pick<WebhookRequest, 'headers' | 'body'> {
  const body = Buffer.from(
    JSON.stringify({ id, event: type, timestamp: occurredAt.toISOString(), data }),
    'utf8',
  );
  const seconds = Math.floor(attemptedAt.getTime() / 1_000);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return {
    headers: {
      'Content-Type': 'application/json',
      'X-Webhook-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`,
    },
    body,
  };
}
