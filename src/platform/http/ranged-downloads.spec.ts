import express from 'express';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { sendDownload, streamTo } from './ranged-downloads';

const FILE = Buffer.from('0123456789');

describe('sendDownload', () => {
  let server: Server;

  beforeAll((done) => {
    const app = express();
    app.get('/file', (request, response, next) => {
      sendDownload(request, response, {
        filename: 'digits.txt',
        mimeType: 'text/plain',
        size: FILE.length,
        etag: 'digits',
        open: async (start, end) =>
          (async function* () {
            yield FILE.subarray(start, end + 1);
          })(),
      }).catch(next);
    });
    app.use((error: { status: number }, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(error.status).end();
    });
    server = app.listen(0, '127.0.0.1', done);
  });

  afterAll((done) => {
    server.close(done);
  });

  it.each([
    ['bytes=2-4', 206, '234'],
    ['BYTES=0-3', 206, '0123'],
    ['bytes=-3', 206, '789'],
    ['bytes=-10', 206, '0123456789'],
    ['bytes=-99999999', 206, '0123456789'],
    ['bytes=8-99', 206, '89'],
    ['bytes=10-', 416, ''],
    ['bytes=0-1,4-5', 200, '0123456789'],
    ['lines=0-3', 200, '0123456789'],
  ])('should answer Range: %s with %i', async (range, status, body) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/file`, { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, body]);
  });
});

describe('streamTo', () => {
  /** A client that takes one chunk for each call of `takes`; `isStill` fires its idle time-out. */
  class Client extends Writable {
    takes = (): void => undefined;
    isStill = (): void => undefined;
    override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
      this.takes = done;
    }
    setTimeout(_ms: number, listener?: () => void): void {
      this.isStill = listener ?? this.isStill;
    }
  }

  const answered = (client: Client, source: AsyncIterable<Buffer>): Promise<void> =>
    streamTo(client as unknown as express.Response, source);

  it('should close its source when the client stops reading', async () => {
    let closed = false;
    const client = new Client();
    const done = answered(
      client,
      (async function* () {
        try {
          for (;;) yield await Promise.resolve(FILE);
        } finally {
          closed = true;
        }
      })(),
    );
    await new Promise((resolve) => setImmediate(resolve));
    client.isStill();
    await done;
    expect([client.destroyed, closed]).toEqual([true, true]);
  });

  it('should wait for a slow source, and not blame the client', async () => {
    let goOn = (): void => undefined;
    const client = new Client();
    const done = answered(
      client,
      (async function* () {
        await new Promise<void>((resolve) => (goOn = resolve));
        yield FILE;
      })(),
    );
    await new Promise((resolve) => setImmediate(resolve));
    client.isStill();
    expect(client.destroyed).toBe(false);
    goOn();
    await new Promise((resolve) => setImmediate(resolve));
    client.takes();
    await done;
    expect(client.writableFinished).toBe(true);
  });
});
