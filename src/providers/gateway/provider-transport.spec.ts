import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppConfig } from '../../platform/config/app-config';
import { ProviderTransport } from './provider-transport';

const KIB = 1024;

describe('ProviderTransport', () => {
  let server: Server;
  let sut: ProviderTransport;
  let url: string;
  let left: Promise<void>;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      left = new Promise((resolve) => response.once('close', resolve));
      sendFor(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gmail = { rootUrl: url, tokenUrl: url, revokeUrl: url };
    sut = new ProviderTransport({ oauthIssuers: [], gmail } as unknown as AppConfig);
  });

  afterAll(async () => {
    sut.onApplicationShutdown();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Blanks without end, until the client leaves. */
  function sendFor(response: ServerResponse): void {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * KIB, ' ')));
    };
    response.on('drain', more);
    more();
  }

  it('should abandon an endless answer', async () => {
    const answer = sut.request({ method: 'GET', url, maxBytes: 64 * KIB });
    await expect(answer).rejects.toThrow('The answer is too large');
    await left;
  });

  it('should abandon an endless answer to a client library as well', async () => {
    await expect(sut.fetch(url)).rejects.toThrow('The answer is too large');
    await left;
  });
});
