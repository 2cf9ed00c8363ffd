import { notificationOf } from '../../notifications/in-app/event-notifications';
import type { RecordedEvent, WebhookEvent } from '../../events/events';
import type { WebhookType } from '../webhook.entity';
import { blockChatRequest } from './block-chat';
import { embedChatRequest } from './embed-chat';
import { genericRequest } from './generic';
import { pushNotifyRequest } from './push-notify';

/** An event as receivers are told of it: what a row of `webhook_deliveries` holds. */
export interface ToldEvent {
  /** Of the event, the same in every attempt: receivers tell repetitions by it. */
  readonly id: string;
  readonly type: WebhookEvent;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Where to, and how it is written there. */
export interface WebhookTarget {
  readonly type: WebhookType;
  /** http or https, without credentials. */
  readonly url: string;
  /** `whsec_<base64>` of generic webhooks, null of the others. */
  readonly secret: string | null;
}

/** What is sent: a POST of exactly these bytes. Length and host are the client's to add. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The text of an event, plain, in English. */
export interface EventText {
  readonly title: string;
  readonly body: string;
}

/**
 * The request that tells a receiver of an event. Its body is the same bytes whenever it is made; only the headers of
 * Standard Webhooks change with the attempt.
 */
export function webhookRequest(event: ToldEvent, target: WebhookTarget, attemptedAt: Date): WebhookRequest {
  const { headers, body } = written(event, target, attemptedAt);
  return { url: target.url, headers: { 'User-Agent': 'Mailroom', ...headers }, body };
}

function written(
  event: ToldEvent,
  { type, secret }: WebhookTarget,
  attemptedAt: Date,
): Pick<WebhookRequest, 'headers' | 'body'> {
  switch (type) {
    case 'generic':
      if (secret === null) throw new Error('A generic webhook has a secret');
      return genericRequest(event, secret, attemptedAt);
    case 'embedchat':
      return embedChatRequest(event, textOf(event));
    case 'blockchat':
      return blockChatRequest(textOf(event));
    case 'pushnotify':
      return pushNotifyRequest(event, textOf(event));
  }
}

/** The same words as in the application. */
const textOf = ({ type, data }: ToldEvent): EventText =>
  notificationOf({ type, data } as unknown as Extract<RecordedEvent, { type: WebhookEvent }>);
