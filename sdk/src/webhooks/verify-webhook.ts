import type { WebhookEvent } from './webhook-events.js';

/** Options of the verification of a webhook. */
export interface VerifyOptions {
  /** Largest age of a request, and largest lead over this clock, in seconds. Default 300. */
  readonly tolerance?: number;
  /**
   * Signature that is verified: `standard` (default) is that of Standard Webhooks, whose timestamp keeps a recorded request
   * from being sent again later; `body` is `X-Webhook-Signature`, which covers the body alone.
   */
  readonly signature?: 'standard' | 'body';
  /** Time to compare with, in milliseconds; default `Date.now()`. */
  readonly now?: number;
}

/** Headers of `fetch`, or of Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reasons to reject a request. */
export type RejectionCode = 'signature-missing' | 'signature-wrong' | 'timestamp-too-old' | 'timestamp-ahead';

/** The request is not from Mailroom, or is too old: answer 401 and do nothing. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';

  constructor(
    readonly code: RejectionCode,
    message: string,
  ) {
    super(message);
  }
}

const SECRET_PREFIX = 'whsec_';
const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies, before it is parsed, that a request was sent with the secret of a generic webhook.
 * @param body the bytes as they arrived: a body that was parsed and written again differs
 * @param secret as the webhook's record has it, `whsec_` included
 * @throws WebhookRejected
 */
export async function verifyWebhook(
  body: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  if (options.signature === 'body') await verifyBody(bytes, headers, secret);
  else await verifyStandard(bytes, headers, secret, options);
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** Verifies `X-Webhook-Signature`: hexadecimal HMAC-SHA256 of the body, keyed with the secret as it is written. */
async function verifyBody(body: Bytes, headers: WebhookHeaders, secret: string): Promise<void> {
  const given = headerOf(headers, 'x-webhook-signature');
  const signature = /^[0-9a-f]{64}$/.test(given)
    ? Uint8Array.from(given.match(/../g)!, (byte) => Number.parseInt(byte, 16))
    : null;
  if (!signature || !(await isSignature(bytesOf(secret), signature, body))) throw wrong();
}

/** Verifies Standard Webhooks: Base64 of the HMAC-SHA256 of id, timestamp and body, keyed with the secret's bytes. */
async function verifyStandard(
  body: Bytes,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions,
): Promise<void> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const key = base64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (!key || !/^\d+$/.test(timestamp)) throw wrong();
  const signed = joinBytes(bytesOf(`${id}.${timestamp}.`), body);
  let isSigned = false;
  for (const signature of signatures) {
    const mac = signature.startsWith('v1,') ? base64(signature.slice('v1,'.length)) : null;
    if (mac && (await isSignature(key, mac, signed))) isSigned = true;
  }
  if (!isSigned) throw wrong();
  const age = now / 1000 - Number(timestamp);
  if (age > tolerance)
    throw new WebhookRejected('timestamp-too-old', `The request is ${Math.floor(age)} s old.`);
  if (age < -tolerance) throw new WebhookRejected('timestamp-ahead', 'The request comes from the future.');
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Whether the signature is right, checked in constant time by `crypto.subtle.verify`. */
async function isSignature(key: Bytes, signature: Bytes, signed: Bytes): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, signature, signed);
}

/** @throws WebhookRejected when the header is missing or there twice */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : fieldOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookRejected('signature-missing', `The header ${name} is missing.`);
}

function fieldOf(headers: WebhookHeaders, name: string): unknown {
  const [, value] = Object.entries(headers).find(([field]) => field.toLowerCase() === name) ?? [];
  return value;
}

function base64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function bytesOf(body: Uint8Array | ArrayBuffer | string): Bytes {
  return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
}

function joinBytes(head: Bytes, rest: Bytes): Bytes {
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

const wrong = (): WebhookRejected =>
  new WebhookRejected('signature-wrong', 'The signature is not that of the webhook’s secret.');
