import { createHmac } from 'node:crypto';
import type { RecordedEvent, WebhookEvent } from '../events/events';
import { notificationOf } from '../notifications/notification-texts';
import type { WebhookType } from './webhook.entity';

const ELLIPSIS = '…';

/**
 * Text of at most `maximum` units, cut between characters and with an ellipsis for what is missing. Each character is
 * written by `write`, which may make it longer (an escape is never cut in two), and measured by `measure`.
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

/** Nothing in the text addresses a whole room, whatever the platform makes of `@`: the name no longer follows the sign. */
export const withoutMassMentions = (text: string): string => text.replace(/@(?=\w)/g, `@${ZERO_WIDTH_SPACE}`);

/** Text that cannot end a code block: three backticks are never in a row. */
export const withoutCodeFences = (text: string): string => text.replace(/`(?=`)/g, `\`${ZERO_WIDTH_SPACE}`);

/** Of one encoded word, its marks included (RFC 2047 section 2). */
const MAX_WORD = 75;
const PREFIX = '=?UTF-8?B?';
const SUFFIX = '?=';
/** Bytes whose base64 fits between the marks. */
const MAX_BYTES = Math.floor((MAX_WORD - PREFIX.length - SUFFIX.length) / 4) * 3;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * A header's value in ASCII: as it is, or as encoded words (RFC 2047), with a single blank between them that belongs to
 * none. No character is divided between two words. What only looks like an encoded word is encoded as well.
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

interface EventAppearance {
  /** Whether it is good news: green where there are colours, red otherwise. */
  readonly success: boolean;
  /** Of push notifications, 1 to 5; 3 is the default of receivers. */
  readonly priority: 3 | 4;
  /** Short code of an emoji. */
  readonly emoji: string;
}

export const EVENT_APPEARANCE: Readonly<Record<WebhookEvent, EventAppearance>> = {
  'job.completed': { success: true, priority: 3, emoji: 'white_check_mark' },
  'job.failed': { success: false, priority: 4, emoji: 'x' },
  'rule.executed': { success: true, priority: 3, emoji: 'gear' },
  'quota.warning': { success: false, priority: 3, emoji: 'warning' },
  'integrity.failed': { success: false, priority: 4, emoji: 'rotating_light' },
};

/** Secrets begin with it; what follows is the key of Standard Webhooks in base64. */
export const SECRET_PREFIX = 'whsec_';

/**
 * `{id, event, timestamp, data}` as JSON, signed twice. `X-Webhook-Signature` is the HMAC-SHA256 of the body in lowercase
 * hex, keyed with the whole secret as text; `webhook-signature` that of `<id>.<seconds>.<body>` in base64, keyed with the
 * bytes the secret stands for, as Standard Webhooks 1.0 has it.
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

/** What the platform takes; the contract lowers the description's 4096. */
const MAX_EMBED_TITLE = 256;
const MAX_DESCRIPTION = 2_000;

const GREEN = 0x2ecc71;
const RED = 0xe74c3c;

const MARKDOWN = /[\\*_~`|[\]()<>#]/;

/** A chat message with one embed. Nothing in it is taken for Markdown, a link or a mention. */
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

/** What the platform takes as text of a block. */
const MAX_TEXT = 3_000;
const MAX_BLOCK_TITLE = 250;

/** Control sequences of the platform (`<!channel>`, `<@id>`, links) begin with these. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const FENCE = '```';

/** A chat message of one block, its title in bold over a code block, and the same as one line for notifications. */
export function blockChatRequest({ title, body }: EventText): Pick<WebhookRequest, 'headers' | 'body'> {
  const heading = blockText(withoutMarks(title), MAX_BLOCK_TITLE);
  const frame = (content: string): string => `*${heading}*\n${FENCE}\n${content}\n${FENCE}`;
  const section = frame(blockText(withoutCodeFences(body), MAX_TEXT - frame('').length));
  const line = (content: string): string => `${heading}: ${content}`;
  const message = {
    text: line(blockText(withoutMarks(body), MAX_TEXT - line('').length)),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: section, verbatim: true } }],
  };
  return {
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(message), 'utf8'),
  };
}

/** The platform has no escapes for its marks: those that would end the bold text or begin code are replaced. */
const withoutMarks = (text: string): string => text.replaceAll('`', "'").replaceAll('*', '∗');

const blockText = (text: string, maximum: number): string =>
  limitedText(withoutMassMentions(text), maximum, (character) => ESCAPES[character] ?? character);

const MAX_PUSH_TITLE = 250;
/** Longer messages become attachments at the receiver. */
const MAX_BODY_BYTES = 4_096;

/** A push notification: the text as body, the rest in headers. The address names the topic. */
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

/** An event as receivers are told of it: what a row of `webhook_deliveries` holds. */
export interface DeliveredEvent {
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
export function webhookRequest(
  event: DeliveredEvent,
  target: WebhookTarget,
  attemptedAt: Date,
): WebhookRequest {
  const { headers, body } = written(event, target, attemptedAt);
  return { url: target.url, headers: { 'User-Agent': 'Mailroom', ...headers }, body };
}

function written(
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

/** The same words as in the application. */
const textOf = ({ type, data }: DeliveredEvent): EventText =>
  notificationOf({ type, data } as unknown as Extract<RecordedEvent, { type: WebhookEvent }>);
