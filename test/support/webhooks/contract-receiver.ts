import { createHmac, timingSafeEqual } from 'node:crypto';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request exactly as it was received. */
export interface Received {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A message, whatever format it came in. */
export interface ReadMessage {
  readonly title: string;
  readonly text: string;
}

/**
 * A customer's server for webhooks. Its reading of requests follows the contract's text alone: it imports nothing of the
 * service.
 */
export class ContractReceiver {
  readonly received: Received[] = [];
  /** The answers to the next requests. */
  status = 200;
  /** Answers wait for it. */
  ready: Promise<unknown> = Promise.resolve();

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<ContractReceiver> {
    const server = http.createServer();
    const receiver = new ContractReceiver(server);
    server.on('request', (request, response) => void receiver.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests to one path, oldest first. */
  at(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string | undefined>,
      body: Buffer.concat(chunks),
    });
    await this.ready;
    response.writeHead(this.status).end();
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Reads a generic webhook.
 * @throws unless both signatures fit the exact bytes and the body is `{id, event, timestamp, data}`
 */
export function readGeneric({ headers, body }: Received, secret: string): any {
  const computed = createHmac('sha256', secret).update(body).digest('hex');
  const given = headers['x-webhook-signature'] ?? '';
  demand(/^[0-9a-f]{64}$/.test(given), 'the signature is bare lowercase hex');
  demand(timingSafeEqual(Buffer.from(given), Buffer.from(computed)), 'the signature fits the bytes');
  new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>);
  demand(/^application\/json\b/.test(headers['content-type'] ?? ''), 'the body is JSON');
  const event = JSON.parse(body.toString('utf8')) as Record<string, any>;
  demand(Object.keys(event).join() === 'id,event,timestamp,data', 'the body has its four fields');
  demand(headers['webhook-id'] === event['id'], 'both ids are the same');
  demand(ISO.test(event['timestamp']), 'the timestamp is ISO 8601');
  return event;
}

/** @throws unless it is a chat message with one embed, in green or red, within the limits, without mentions */
export function readEmbed({ headers, body }: Received): ReadMessage & { readonly colour: 'green' | 'red' } {
  demand(/^application\/json\b/.test(headers['content-type'] ?? ''), 'the body is JSON');
  const message = JSON.parse(body.toString('utf8')) as { embeds: Record<string, any>[] };
  demand(message.embeds.length === 1, 'there is one embed');
  const { title, description, color, timestamp } = message.embeds[0]!;
  demand(title.length >= 1 && title.length <= 256, 'the title has 1 to 256 characters');
  demand(description.length >= 1 && description.length <= 2_000, 'the text has 1 to 2000 characters');
  demand(color === 0x2ecc71 || color === 0xe74c3c, 'it is green or red');
  demand(ISO.test(timestamp), 'the timestamp is ISO 8601');
  for (const text of [title, description]) demandNoMention(text);
  return { title, text: description, colour: color === 0x2ecc71 ? 'green' : 'red' };
}

/** @throws unless it is a message of one section with one code block, within the limits, without mentions */
export function readBlocks({ headers, body }: Received): ReadMessage & { readonly summary: string } {
  demand(/^application\/json\b/.test(headers['content-type'] ?? ''), 'the body is JSON');
  const message = JSON.parse(body.toString('utf8')) as { text: string; blocks: Record<string, any>[] };
  demand(message.blocks.length === 1, 'there is one block');
  const [section] = message.blocks;
  demand(section!['type'] === 'section' && section!['text'].type === 'mrkdwn', 'it is a section of Markdown');
  const markdown: string = section!['text'].text;
  demand(markdown.length <= 3_000 && message.text.length <= 3_000, 'texts have up to 3000 characters');
  for (const text of [markdown, message.text]) {
    demandNoMention(text);
    demand(!/[<>]/.test(text), 'no control sequence begins');
  }
  const [heading, code, rest, ...others] = markdown.split('```');
  demand(code !== undefined && rest === '' && others.length === 0, 'there is one code block');
  const title = /^\*([^*\n]+)\*\n$/.exec(heading!);
  demand(title !== null, 'the title is bold');
  return {
    title: withoutEntities(title![1]!),
    text: withoutEntities(code!).trim(),
    summary: withoutEntities(message.text),
  };
}

/** @throws unless it is a text with title, priority and tags in headers of ASCII */
export function readPush({
  headers,
  body,
}: Received): ReadMessage & { readonly priority: number; readonly tags: string[] } {
  const { title = '', priority = '', tags = '' } = headers;
  demand(/^[\x20-\x7e]+$/.test(title), 'the title is ASCII');
  demand(/^[1-5]$/.test(priority), 'the priority is a digit');
  demand(/^[\w.]+(,[\w.]+)*$/.test(tags), 'the tags are words');
  demand(body.length <= 4_096, 'the text has up to 4096 bytes');
  return {
    title: withoutEncodedWords(title),
    text: new TextDecoder('utf-8', { fatal: true }).decode(body),
    priority: Number(priority),
    tags: tags.split(','),
  };
}

function demandNoMention(text: string): void {
  demand(!/@(everyone|here|channel|all)\b/i.test(text), 'no room is mentioned');
  demand(!/(?<!\\)<[@!#]/.test(text), 'nobody is mentioned');
}

const withoutEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** RFC 2047: the blank between two encoded words belongs to neither. */
function withoutEncodedWords(header: string): string {
  return header
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?b\?([A-Za-z0-9+/=]*)\?=/gi, (word: string, encoded: string) => {
      demand(word.length <= 75, 'an encoded word has up to 75 characters');
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    });
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`It does not hold that ${what}`);
}
