import express from 'express';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { sendDownload } from './ranged-downloads';

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
