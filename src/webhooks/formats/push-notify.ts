import { encodedHeader } from './encoded-words';
import { EVENT_APPEARANCE } from './event-appearance';
import { limitedText } from './limited-text';
import type { EventText, ToldEvent, WebhookRequest } from './webhook-request';

const MAX_TITLE = 250;
/** Longer messages become attachments at the receiver. */
const MAX_BODY_BYTES = 4_096;

/** A push notification: the text as body, the rest in headers. The address names the topic. */
export function pushNotifyRequest(
  { type }: ToldEvent,
  { title, body }: EventText,
): Pick<WebhookRequest, 'headers' | 'body'> {
  const { priority, emoji } = EVENT_APPEARANCE[type];
  return {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: encodedHeader(limitedText(title, MAX_TITLE)),
      Priority: String(priority),
      Tags: `${emoji},${type}`,
    },
    body: Buffer.from(limitedText(body, MAX_BODY_BYTES, undefined, Buffer.byteLength), 'utf8'),
  };
}
