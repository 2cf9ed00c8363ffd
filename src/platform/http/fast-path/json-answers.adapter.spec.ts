import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonAnswersAdapter } from './json-answers.adapter';

class Dated {
  toJSON(): string {
    return 'a form of its own';
  }
}

interface Received {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** Answers with `body` through `adapter`, and returns what the client receives. */
async function answered(
  adapter: ExpressAdapter,
  body: unknown,
  { status, method = 'GET', headers = {}, type }: Asked,
): Promise<Received> {
  const server = express()
    .set('etag', false)
    .use((_request, response) => {
      if (type) response.setHeader('Content-Type', type);
      adapter.reply(response, body instanceof StreamableFile ? new StreamableFile(FILE) : body, status);
    })
    .listen(0);
  try {
    return await new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const sent = ask({ port, method, headers }, (received) => {
        let text = '';
        received.setEncoding('utf8').on('data', (part: string) => (text += part));
        received.on('end', () => {
          const { date: _, ...kept } = received.headers;
          resolve({ status: received.statusCode, headers: kept, text });
        });
      });
      sent.on('error', reject).end();
    });
  } finally {
    server.close();
  }
}

interface Asked {
  readonly status?: number;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

const FILE = Buffer.from('bytes');
const ROWS = [{ id: 1, name: 'Zoë 😀', at: new Date(0), none: null, left: undefined }];

describe('JsonAnswersAdapter', () => {
  it.each<[string, unknown, Asked]>([
    ['rows', ROWS, { status: 200 }],
    ['an object', { ok: true }, { status: 202 }],
    ['an object without a prototype', Object.assign(Object.create(null), { ok: true }), { status: 200 }],
    ['an object, with no status', { ok: true }, {}],
    ['a long list', Array.from({ length: 500 }, (_, id) => ({ id, name: 'ü' })), { status: 200 }],
    ['ASCII alone', [{ id: 1, name: 'Zoe' }], { status: 200 }],
    ['Latin-1', [{ id: 1, name: 'Zo\u00eb' }], { status: 200 }],
    ['no rows', [], { status: 200 }],
    ['HEAD', ROWS, { status: 200, method: 'HEAD' }],
    ['nothing', undefined, { status: 204 }],
    ['an object where there is no body', { ok: true }, { status: 204 }],
    ['text', 'plain', { status: 200 }],
    ['a number', 7, { status: 200 }],
    ['a file', new StreamableFile(FILE), { status: 200 }],
    ['an error', new Error('secret'), { status: 500 }],
    ['an object with toJSON', new Dated(), { status: 200 }],
    ['a condition', ROWS, { status: 200, headers: { 'if-none-match': '*' } }],
    ['another media type', ROWS, { status: 200, type: 'application/problem+json' }],
  ])('should respond as Express does: %s', async (_what, body, asked) => {
    expect(await answered(new JsonAnswersAdapter(), body, asked)).toEqual(
      await answered(new ExpressAdapter(), body, asked),
    );
  });
});
