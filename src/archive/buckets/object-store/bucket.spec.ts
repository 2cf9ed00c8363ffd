import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressGuard } from '../../../platform/egress/egress-guard';
import type { HostResolver } from '../../../platform/egress/host-resolver';
import type { AppConfig } from '../../../platform/config/app-config';
import { Bucket } from './bucket';
import { LISTING_START } from './listing-position';

const LIMITS = { answerMs: 2_000 };

describe('Bucket', () => {
  const servers: Server[] = [];
  const buckets: Bucket[] = [];
  const lookup = jest.fn<Promise<string[]>, [host: string, userId: string]>();

  const serve = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  const bucketAt = (endpoint: string, allowPrivateNetworks = true): Bucket => {
    const guard = new EgressGuard(
      { egress: { allowPrivateNetworks } } as AppConfig,
      { resolve: lookup } as unknown as HostResolver,
    );
    const place = { endpoint, region: 'us-east-1', bucket: 'tests', forcePathStyle: true };
    const bucket = new Bucket(place, { accessKeyId: 'key', secretAccessKey: 'secret' }, guard, 'user');
    buckets.push(bucket);
    return bucket;
  };

  const resolvesTo = (...addresses: string[]): void => {
    lookup.mockResolvedValueOnce(addresses);
  };

  afterEach(() => {
    for (const bucket of buckets.splice(0)) bucket.close();
    for (const server of servers.splice(0)) server.close();
  });

  it('should check the address of every connection, not only the first one', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      // No connection is used twice: the name is looked up for each.
      response.writeHead(200, { 'content-length': '0', connection: 'close' }).end();
    });
    const sut = bucketAt(`http://rebound.example:${port}`);
    resolvesTo('127.0.0.1');
    await sut.sizeOf('key', LIMITS);
    resolvesTo('169.254.169.254');
    await expect(sut.sizeOf('key', LIMITS)).rejects.toMatchObject({ kind: 'refused', about: 'endpoint' });
    resolvesTo('127.0.0.1', '169.254.169.254');
    await expect(sut.sizeOf('key', LIMITS)).rejects.toMatchObject({ kind: 'refused' });
    expect(requests).toBe(1);
    expect(lookup.mock.calls).toEqual(Array(3).fill(['rebound.example', 'user', undefined]));
  });

  it('should not mistake the "not found" of a web server for a missing object', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end('<html>Not Found</html>'));
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    for (const call of [
      sut.sizeOf('key', LIMITS),
      sut.remove('key', LIMITS),
      sut.listPage('', LISTING_START, LIMITS),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: 'refused', about: 'endpoint' });
    }
  });

  it('should not connect to private addresses when they are denied, named or literal', async () => {
    let connections = 0;
    const port = await serve((_request, response) => response.end());
    servers[0]!.on('connection', () => (connections += 1));
    resolvesTo('127.0.0.1');
    await expect(
      bucketAt(`http://inside.example:${port}`, false).sizeOf('key', LIMITS),
    ).rejects.toMatchObject({
      kind: 'refused',
    });
    await expect(bucketAt(`http://127.0.0.1:${port}`, false).sizeOf('key', LIMITS)).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(connections).toBe(0);
  });

  it('should not follow redirects', async () => {
    let followed = 0;
    const target = await serve((_request, response) => {
      followed += 1;
      response.end();
    });
    const port = await serve((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    await expect(sut.put('key', Buffer.from('x'), LIMITS)).rejects.toMatchObject({ kind: 'refused' });
    expect(followed).toBe(0);
  });

  it('should end a request that is not answered in time, and one that is aborted', async () => {
    const port = await serve(() => undefined);
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    await expect(sut.sizeOf('key', { answerMs: 100 })).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'it does not answer in time',
    });
    const abortion = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => abortion.abort(reason), 50);
    await expect(sut.sizeOf('key', { answerMs: 5_000, signal: abortion.signal })).rejects.toBe(reason);
  });

  it('should not read endless responses', async () => {
    const port = await serve((request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write(Buffer.alloc(256 * 1024, ' ')));
      };
      response.on('drain', more);
      request.on('close', () => response.destroy());
      more();
    });
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    await expect(sut.listPage('', LISTING_START, { answerMs: 20_000 })).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it('should keep nothing of a response except the store’s code', async () => {
    const port = await serve((_request, response) =>
      response
        .writeHead(503, { 'retry-after': '3' })
        .end('<Error><Code>SlowDown</Code><Message>secret-text</Message></Error>'),
    );
    const failure = await bucketAt(`http://127.0.0.1:${port}`)
      .put('key', Buffer.from('x'), LIMITS)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unavailable', retryAfterMs: 3_000 });
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('secret-text');
  });

  it('should refuse a response that is not the requested range', async () => {
    const port = await serve((_request, response) => response.end('all of it'));
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    await expect(sut.open('key', 3, 5, LIMITS)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('should refuse more of an object than was requested', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(206, { 'content-length': String(8 * 1024 ** 3), etag: '"1"' });
      response.write('x');
    });
    const sut = bucketAt(`http://127.0.0.1:${port}`);
    await expect(sut.open('key', 0, 5, LIMITS)).rejects.toMatchObject({ kind: 'refused' });
    await expect(sut.open('key', 3, 5, LIMITS)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('should accept less of an object than was requested', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(206, { 'content-length': '2' }).end('ab'),
    );
    const opened = await bucketAt(`http://127.0.0.1:${port}`).open('key', 0, 5, LIMITS);
    expect(opened.length).toBe(2);
    opened.body.destroy();
  });
});
