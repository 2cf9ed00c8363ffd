import { createServer as createHttpServer, RequestListener } from 'node:http';
import https from 'node:https';
import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { CERTIFICATE } from '../../../test/support/object-store/self-signed';
import { EgressGuard, EgressRefused, HostUnknown } from '../../platform/egress/egress-guard';
import { HostResolver } from '../../platform/egress/host-resolver';
import type { AppConfig } from '../../platform/config/app-config';
import type { WebhookRequest } from './webhook-formats';
import { failureOf, retryAfterMs, UnreadableAnswer, WebhookClient } from './webhook-client';
import { WebhookTimings } from './webhook-timings';

const USER = 'user';
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const answering = async (onRequest: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createHttpServer(onRequest))}/hook`;

/** A server that says `bytes` as soon as something arrives. */
const saying = async (talk: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer((socket) => socket.once('data', () => talk(socket))))}/hook`;

const client = (
  requestMs = 400,
  allowPrivateNetworks = true,
  addresses?: HostResolver['resolve'],
): WebhookClient => {
  const config = { egress: { allowPrivateNetworks, dnsServers: [] } } as unknown as AppConfig;
  const resolver = Object.assign(new HostResolver(config), addresses && { resolve: addresses });
  return new WebhookClient(
    new EgressGuard(config, resolver),
    Object.assign(new WebhookTimings(), { requestMs }),
  );
};

const to = (url: string): WebhookRequest => ({
  url,
  headers: { 'Content-Type': 'application/json', 'X-Test': 'yes' },
  body: Buffer.from('{"grüße":1}'),
});

describe('WebhookClient', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  it('should send exactly the given bytes and headers, and accept any status', async () => {
    const received: unknown[] = [];
    const url = await answering((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        received.push([
          method,
          headers['x-test'],
          headers['content-length'],
          Buffer.concat(chunks).toString(),
        ]);
        response.writeHead(503, { 'Retry-After': '7' }).end('later');
      });
    });
    expect(await client().post(to(url), USER)).toEqual({
      status: 503,
      error: null,
      retryAfterMs: 7_000,
      durationMs: expect.any(Number) as number,
    });
    expect(received).toEqual([['POST', 'yes', '13', '{"grüße":1}']]);
  });

  it.each([301, 302, 303, 307, 308])('should treat a %d as a redirect and not follow it', async (status) => {
    const followed: string[] = [];
    const url = await answering((request, response) => {
      followed.push(request.url!);
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect(await client().post(to(url), USER)).toMatchObject({ status, error: 'redirect' });
    expect(followed).toEqual(['/hook']);
  });

  it.each<[string, (socket: Socket) => void, object]>([
    ['nothing', () => undefined, { status: 0, error: 'timed-out' }],
    [
      'headers drop by drop',
      (socket) => void setInterval(() => socket.write('X'), 20).unref(),
      { status: 0, error: 'answer-unreadable' },
    ],
    [
      'a head that never ends',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        setInterval(() => socket.write('X-Drop: 1\r\n'), 20).unref();
      },
      { status: 0, error: 'timed-out' },
    ],
    [
      'a body that never ends',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        setInterval(() => socket.write('1\r\nx\r\n'), 20).unref();
      },
      { status: 200, error: null },
    ],
    [
      'headers without end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(100_000)}`),
      { status: 0, error: 'answer-unreadable' },
    ],
    ['garbage', (socket) => socket.end('\0\0 no HTTP at all'), { status: 0, error: 'answer-unreadable' }],
    [
      'interim answers without end',
      (socket) => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1_000)),
      { status: 0, error: 'answer-unreadable' },
    ],
    [
      'another protocol',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      { status: 0, error: 'answer-unreadable' },
    ],
    [
      'a status unknown to HTTP',
      (socket) => socket.end('HTTP/1.1 999 Hm\r\n\r\n'),
      { status: 0, error: 'answer-unreadable' },
    ],
    ['an end before the answer', (socket) => socket.destroy(), { status: 0, error: 'connection-lost' }],
    [
      'an end in the middle of the body',
      (socket) => socket.end('HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n'),
      { status: 204, error: null },
    ],
    [
      'half a body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      { status: 200, error: null },
    ],
    [
      'broken chunks',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz'),
      { status: 200, error: null },
    ],
  ])('should end the request when the receiver sends %s', async (_what, talk, expected) => {
    const url = await saying(talk);
    const answer = await client().post(to(url), USER);
    expect(answer).toMatchObject(expected);
    expect(answer.durationMs).toBeLessThan(2_000);
  });

  it('should close the connection after 64 KiB of an endless response', async () => {
    let written = 0;
    let closed: (() => void) | undefined;
    const whenClosed = new Promise<void>((resolve) => (closed = resolve));
    const url = await saying((socket) => {
      socket.on('close', () => closed!());
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(16_384))) written += 16_384;
      };
      socket.on('drain', pour);
      pour();
    });
    const answer = await client(20_000).post(to(url), USER);
    expect(answer).toMatchObject({ status: 200, error: null });
    expect(answer.durationMs).toBeLessThan(5_000);
    await whenClosed;
    // Plus what fits into the buffers of two sockets.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('should report a refused connection, and end early on abort', async () => {
    const port = await listen(createServer());
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await client().post(to(`http://127.0.0.1:${port}/`), USER)).toMatchObject({
      status: 0,
      error: 'connection-refused',
    });
    const stop = new AbortController();
    const url = await saying(() => stop.abort());
    expect(await client(20_000).post(to(url), USER, stop.signal)).toMatchObject({
      status: 0,
      error: 'interrupted',
    });
    expect(await client(20_000).post(to(url), USER, stop.signal)).toMatchObject({
      status: 0,
      error: 'interrupted',
    });
  });

  it('should connect to the address that was checked, even if the name changes', async () => {
    const reached: string[] = [];
    const port = await listen(
      createHttpServer((request, response) => {
        reached.push(request.socket.localAddress!, request.headers.host!);
        response.end();
      }),
      '127.0.0.2',
    );
    const lookups = jest
      .fn<Promise<string[]>, [host: string, userId: string]>()
      .mockResolvedValueOnce(['127.0.0.2'])
      .mockResolvedValueOnce(['169.254.169.254']);
    const sut = client(400, true, lookups);
    const url = `http://rebinding.example:${port}/`;
    expect(await sut.post(to(url), USER)).toMatchObject({ status: 200, error: null });
    expect(lookups.mock.calls.map(([host, userId]) => [host, userId])).toEqual([['rebinding.example', USER]]);
    expect(reached).toEqual(['127.0.0.2', `rebinding.example:${port}`]);
    expect(await sut.post(to(url), USER)).toMatchObject({ status: 0, error: 'address-refused' });
    expect(reached).toHaveLength(2);
  });

  it('should apply the time limit to name look-ups too', async () => {
    const untilAborted: HostResolver['resolve'] = (_host, _userId, signal) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error), { once: true }),
      );
    expect(await client(50, true, untilAborted).post(to('http://slow.example/'), USER)).toMatchObject({
      status: 0,
      error: 'timed-out',
    });
  });

  it('should report an unknown host when the look-up fails', async () => {
    const sut = client(400, true, () => Promise.reject(new Error('ENOTFOUND')));
    expect(await sut.post(to('http://nowhere.example/'), USER)).toMatchObject({
      status: 0,
      error: 'host-unknown',
    });
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://localhost/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'http://user:pass@example.org/',
  ])('should refuse %s where private networks are denied', async (url) => {
    expect(await client(400, false).post(to(url), USER)).toMatchObject({
      status: 0,
      error: 'address-refused',
    });
  });

  it('should refuse self-signed certificates and those of another host', async () => {
    const server = https.createServer(CERTIFICATE, (_request, response) => response.end());
    const port = await listen(server);
    const failed = { status: 0, error: 'tls-failed' };
    expect(await client(5_000).post(to(`https://localhost:${port}/`), USER)).toMatchObject(failed);
    const request = https.request;
    jest
      .spyOn(https, 'request')
      .mockImplementation(((url: URL, options: https.RequestOptions) =>
        request(url, { ...options, ca: CERTIFICATE.cert })) as typeof https.request);
    expect(await client(5_000).post(to(`https://127.0.0.1:${port}/`), USER)).toMatchObject({
      status: 200,
      error: null,
    });
    const other = client(5_000, true, async () => ['127.0.0.1']);
    expect(await other.post(to(`https://other.example:${port}/`), USER)).toMatchObject(failed);
    const plain = await answering((_request, response) => response.end());
    expect(await client(5_000).post(to(plain.replace('http:', 'https:')), USER)).toMatchObject(failed);
  });
});

describe('failureOf', () => {
  it.each([
    [new EgressRefused('x'), 'address-refused'],
    [new HostUnknown(), 'host-unknown'],
    [new UnreadableAnswer(), 'answer-unreadable'],
    [{ code: 'ECONNREFUSED' }, 'connection-refused'],
    [{ code: 'ECONNRESET' }, 'connection-lost'],
    [{ code: 'EHOSTUNREACH' }, 'host-unreachable'],
    [{ code: 'ETIMEDOUT' }, 'timed-out'],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 'answer-unreadable'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'answer-unreadable'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'tls-failed'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'tls-failed'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls-failed'],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'tls-failed'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'tls-failed'],
    [{ code: 'EPROTO' }, 'tls-failed'],
    [{}, 'connection-failed'],
  ])('should classify %j as %s', (error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-11-22T10:00:00Z');

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['2027', 2_027_000],
    ['0', 0],
    ['120', 120_000],
    ['Sun, 22 Nov 2026 10:01:30 GMT', 90_000],
    ['Sunday, 22-Nov-26 10:01:30 GMT', 90_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['Sun, 99 Nov 2026 09:00:00 GMT', undefined],
  ])('should read %j as %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
