import { createHmac } from 'node:crypto';
import type { RecordedEvent, WebhookEvent } from '../../platform/events/events';
import { notificationOf } from '../notifications/notification-texts';
import type { WebhookType } from './webhook.entity';

/** The event of a delivery, as a row of `webhook_deliveries` holds it. */
export interface DeliveredEvent {
  /** The event's id, the same in every attempt: receivers recognise repetitions by it. */
  readonly id: string;
  readonly type: WebhookEvent;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Address and format of a webhook. */
export interface WebhookTarget {
  readonly type: WebhookType;
  /** http or https, without credentials. */
  readonly url: string;
  /** `whsec_<base64>` of generic webhooks, null of the others. */
  readonly secret: string | null;
}

/** A POST of exactly these bytes. The client adds length and host. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why an attempt failed without an answer that counts. The codes are stable: owners of webhooks see them. */
export type WebhookFailure =
  | 'address-refused'
  | 'host-unknown'
  | 'host-unreachable'
  | 'connection-refused'
  | 'connection-failed'
  | 'connection-lost'
  | 'tls-failed'
  | 'answer-unreadable'
  | 'timed-out'
  | 'interrupted'
  /** The answer was a redirect, which the client does not follow. */
  | 'redirect'
  /** The service could not make the request. */
  | 'not-sent';

/** The outcome of one request. */
export interface WebhookAnswer {
  /** HTTP status, 0 for no answer. */
  readonly status: number;
  /** null for every answer except redirects. */
  readonly error: WebhookFailure | null;
  readonly durationMs: number;
  /** The wait that the receiver asked for with `Retry-After` (RFC 9110, 10.2.3); unlimited. */
  readonly retryAfterMs?: number;
}

/** Plain English text of an event. */
export interface EventText {
  readonly title: string;
  readonly body: string;
}

/**
 * The request that delivers an event. Its body is the same bytes in every attempt; only the headers of Standard Webhooks
 * change.
 */
export function webhookRequest(
  event: DeliveredEvent,
  target: WebhookTarget,
  attemptedAt: Date,
): WebhookRequest {
  const { headers, body } = formatEvent(event, target, attemptedAt);
  return { url: target.url, headers: { 'User-Agent': 'Mailroom', ...headers }, body };
}

function formatEvent(
  event: DeliveredEvent,
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

/** The same text as in the application's notifications. */
const textOf = ({ type, data }: DeliveredEvent): EventText =>
  notificationOf({ type, data } as unknown as Extract<RecordedEvent, { type: WebhookEvent }>);

interface EventAppearance {
  /** Good news: formats with colours show it in green, otherwise in red. */
  readonly success: boolean;
  /** Priority of push notifications, 1 to 5; 3 is the receivers' default. */
  readonly priority: 3 | 4;
  /** Short code of the emoji that push notifications show. */
  readonly emoji: string;
}

export const EVENT_APPEARANCE: Readonly<Record<WebhookEvent, EventAppearance>> = {
  'job.completed': { success: true, priority: 3, emoji: 'white_check_mark' },
  'job.failed': { success: false, priority: 4, emoji: 'x' },
  'rule.executed': { success: true, priority: 3, emoji: 'gear' },
  'quota.warning': { success: false, priority: 3, emoji: 'warning' },
  'integrity.failed': { success: false, priority: 4, emoji: 'rotating_light' },
  'archiving.unhealthy': { success: false, priority: 4, emoji: 'hourglass' },
  'archiving.recovered': { success: true, priority: 3, emoji: 'white_check_mark' },
};

/** Secrets begin with it; the key of Standard Webhooks follows in base64. */
export const SECRET_PREFIX = 'whsec_';

/**
 * `{id, event, timestamp, data}` as JSON, signed twice. `X-Webhook-Signature` is the HMAC-SHA256 of the body in lowercase
 * hex, keyed with the whole secret as text; `webhook-signature` that of `<id>.<seconds>.<body>` in base64, keyed with the
 * bytes that the secret encodes, as in Standard Webhooks 1.0.
 */
export function genericRequest(
  { id, type, occurredAt, data }: DeliveredEvent,
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

/** The platform's limits; the contract lowers the description's 4096. */
const MAX_EMBED_TITLE = 256;
const MAX_DESCRIPTION = 2_000;

const GREEN = 0x2ecc71;
const RED = 0xe74c3c;

const MARKDOWN = /[\\*_~`|[\]()<>#]/;

/** A chat message with one embed. The platform interprets nothing in it as Markdown, a link or a mention. */
export function embedChatRequest(
  { type, occurredAt }: DeliveredEvent,
  { title, body }: EventText,
): Pick<WebhookRequest, 'headers' | 'body'> {
  const embed = {
    title: embedText(title, MAX_EMBED_TITLE),
    description: embedText(body, MAX_DESCRIPTION),
    color: EVENT_APPEARANCE[type].success ? GREEN : RED,
    timestamp: occurredAt.toISOString(),
  };
  return {
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ embeds: [embed] }), 'utf8'),
  };
}

const embedText = (text: string, maximum: number): string =>
  limitedText(withoutMassMentions(text), maximum, (character) =>
    MARKDOWN.test(character) ? `\\${character}` : character,
  );

/** The platform's limit for the text of a block. */
const MAX_TEXT = 3_000;
const MAX_BLOCK_TITLE = 250;

/** Control sequences of the platform (`<!channel>`, `<@id>`, links) begin with these. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const FENCE = '```';

/** A chat message of one block: the title in bold above a code block; and the same in one line for notifications. */
export function blockChatRequest({ title, body }: EventText): Pick<WebhookRequest, 'headers' | 'body'> {
  const heading = blockText(withoutMarks(title), MAX_BLOCK_TITLE);
  const formatSection = (content: string): string => `*${heading}*\n${FENCE}\n${content}\n${FENCE}`;
  const section = formatSection(blockText(withoutCodeFences(body), MAX_TEXT - formatSection('').length));
  const formatLine = (content: string): string => `${heading}: ${content}`;
  const message = {
    text: formatLine(blockText(withoutMarks(body), MAX_TEXT - formatLine('').length)),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: section, verbatim: true } }],
  };
  return {
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(message), 'utf8'),
  };
}

/** Replaces marks that would end the bold text or begin code: the platform has no escapes for them. */
const withoutMarks = (text: string): string => text.replaceAll('`', "'").replaceAll('*', '∗');

const blockText = (text: string, maximum: number): string =>
  limitedText(withoutMassMentions(text), maximum, (character) => ESCAPES[character] ?? character);

const MAX_PUSH_TITLE = 250;
/** Longer messages become attachments at the receiver. */
const MAX_BODY_BYTES = 4_096;

/** A push notification: the text as body, everything else in headers. The address names the topic. */
export function pushNotifyRequest(
  { type }: DeliveredEvent,
  { title, body }: EventText,
): Pick<WebhookRequest, 'headers' | 'body'> {
  const { priority, emoji } = EVENT_APPEARANCE[type];
  return {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: encodedHeader(limitedText(title, MAX_PUSH_TITLE)),
      Priority: String(priority),
      Tags: `${emoji},${type}`,
    },
    body: Buffer.from(limitedText(body, MAX_BODY_BYTES, undefined, Buffer.byteLength), 'utf8'),
  };
}

const ELLIPSIS = '…';

/**
 * Cuts text to at most `maximum` units, between characters, with an ellipsis in place of the rest. `write` may replace a
 * character by an escape, which is never cut in two; `measure` counts units.
 */
export function limitedText(
  text: string,
  maximum: number,
  write: (character: string) => string = (character) => character,
  measure: (written: string) => number = ({ length }) => length,
): string {
  const room = maximum - measure(ELLIPSIS);
  let [length, kept] = [0, 0];
  const written: string[] = [];
  for (const character of text) {
    const next = write(character);
    length += measure(next);
    if (length > maximum) return written.slice(0, kept).join('') + ELLIPSIS;
    written.push(next);
    if (length <= room) kept = written.length;
  }
  return written.join('');
}

const ZERO_WIDTH_SPACE = '\u200b';

/** Keeps `@everyone` and the like from addressing a whole room: separates the name from the sign. */
export const withoutMassMentions = (text: string): string => text.replace(/@(?=\w)/g, `@${ZERO_WIDTH_SPACE}`);

/** Keeps text from ending a code block: no backticks stand in a row. */
export const withoutCodeFences = (text: string): string => text.replace(/`(?=`)/g, `\`${ZERO_WIDTH_SPACE}`);

/** Maximum length of an encoded word, including its delimiters (RFC 2047, section 2). */
const MAX_WORD = 75;
const PREFIX = '=?UTF-8?B?';
const SUFFIX = '?=';
/** Bytes whose base64 fits between the delimiters. */
const MAX_BYTES = Math.floor((MAX_WORD - PREFIX.length - SUFFIX.length) / 4) * 3;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * A header's value in ASCII: unchanged, or as encoded words (RFC 2047) with a space between them. Words divide between
 * characters. Text that only looks like an encoded word is encoded as well.
 */
export function encodedHeader(text: string): string {
  if (PRINTABLE_ASCII.test(text) && !text.includes('=?')) return text;
  const words: string[] = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) > MAX_BYTES) words.push(character);
    else words[words.length - 1] = word;
  }
  return words.map((word) => `${PREFIX}${Buffer.from(word, 'utf8').toString('base64')}${SUFFIX}`).join(' ');
}
