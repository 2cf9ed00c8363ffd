import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressGuard, EgressRefused } from '../../platform/egress/egress-guard';
import type { HostResolver } from '../../platform/egress/host-resolver';
import type { AppConfig } from '../../platform/config/app-config';
import { NoImage, RemoteImageClient } from './remote-image-client';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const MOST = 1_000;
const USER = 'user';

/** Takes one name for public that leads here; every other address is judged as always. */
class GuardOfTest extends EgressGuard {
  constructor() {
    const resolver = { resolve: async () => ['10.0.0.1'] } as unknown as HostResolver;
    super({ egress: { allowPrivateNetworks: true } } as AppConfig, resolver);
  }

  override async resolvePublic(...args: Parameters<EgressGuard['resolvePublic']>) {
    if (args[0] === 'pictures.example') return { address: '127.0.0.1', family: 4 } as const;
    return super.resolvePublic(...args);
  }
}

describe('RemoteImageClient', () => {
  let server: Server;
  let answer: RequestListener;
  const asked: (string | undefined)[] = [];
  const sut = new RemoteImageClient(new GuardOfTest());

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => asked.splice(0));

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const url = (path: string): string =>
    `http://pictures.example:${(server.address() as AddressInfo).port}${path}`;
  const fetched = (address: string, signal = AbortSignal.timeout(10_000)): Promise<Buffer> =>
    sut.fetch(address, USER, MOST, signal);

  it('should fetch an image without revealing the reader', async () => {
    let headers: object = {};
    answer = (request, response) => {
      ({ headers } = request);
      response.end(PNG);
    };
    expect(await fetched(url('/a.png?id=7'))).toEqual(PNG);
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('should follow a redirect', async () => {
    answer = (request, response) =>
      request.url === '/b' ? response.end(PNG) : response.writeHead(302, { location: '/b' }).end();
    expect(await fetched(url('/a'))).toEqual(PNG);
  });

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://router.example/',
    'http://other.example:22/',
    'https://other.example:8443/a.png',
    'file:///etc/passwd',
    'http://user:password@pictures.example/',
  ])('should neither connect to %s nor be redirected there', async (address) => {
    await expect(fetched(address)).rejects.toThrow(EgressRefused);
    answer = (_request, response) => response.writeHead(302, { location: address }).end();
    await expect(fetched(url('/'))).rejects.toThrow(EgressRefused);
  });

  it('should refuse circular redirects', async () => {
    answer = (_request, response) => response.writeHead(301, { location: '/again' }).end();
    await expect(fetched(url('/'))).rejects.toThrow(NoImage);
    expect(asked).toHaveLength(4);
  });

  it.each<[string, RequestListener]>([
    [
      'a document',
      (_, response) => response.setHeader('content-type', 'image/png').end('<svg onload="x()"/>'),
    ],
    ['nothing', (_, response) => response.end()],
    ['too much', (_, response) => response.end(Buffer.concat([PNG, Buffer.alloc(MOST)]))],
    ['an image with another status', (_, response) => response.writeHead(404).end(PNG)],
    ['a redirect to nowhere', (_, response) => response.writeHead(302).end()],
  ])('should refuse %s', async (_name, listener) => {
    answer = listener;
    await expect(fetched(url('/'))).rejects.toThrow(NoImage);
  });

  it.each<[string, RequestListener]>([
    ['does not respond', () => undefined],
    ['stops in the middle of an image', (_, response) => response.write(PNG.subarray(0, 10))],
    [
      'redirects to a host that does not respond',
      (request, response) => {
        if (request.url === '/') response.writeHead(302, { location: '/silence' }).end();
      },
    ],
  ])('should end with its signal when the host %s', async (_name, listener) => {
    const end = new AbortController();
    answer = (request, response) => {
      listener(request, response);
      if (!response.writableEnded) setImmediate(() => end.abort(new Error('too late')));
    };
    await expect(fetched(url('/'), end.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
