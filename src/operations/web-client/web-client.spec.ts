import express from 'express';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ClientGone } from '../../platform/http/client-signal';
import { PAGE_POLICY, webClient } from './web-client';

const PAGE = '<!doctype html><title>Mailroom</title>';
const SCRIPT = 'console.log("Mailroom");'.repeat(50);
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** The error that reaches the problem filter when sending a file fails with this code. */
function failureOf(folder: string, code: string): unknown {
  const request = { path: '/theme.js', method: 'GET', acceptsEncodings: () => false, get: () => undefined };
  const response = {
    headersSent: false,
    setHeader: () => undefined,
    sendFile: (_path: string, _options: object, end: (error: Error) => void) =>
      end(Object.assign(new Error('It ended.'), { code })),
  };
  let failure: unknown;
  webClient(folder)(
    request as unknown as express.Request,
    response as unknown as express.Response,
    (error: unknown) => (failure = error),
  );
  return failure;
}

describe('webClient', () => {
  let folder: string;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mailroom-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), PAGE);
    writeFileSync(join(folder, 'theme.js'), SCRIPT);
    writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
    const script = join(folder, 'assets', 'index-a1b2.js');
    writeFileSync(script, SCRIPT);
    writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
    writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
    writeFileSync(join(folder, 'assets', 'index-a1b2.js.map'), '{}');
    server = createServer(
      express()
        .use(webClient(folder))
        .use((_request, response) => void response.status(404).send('the router')),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(url + path, { method, headers: { accept: BROWSER, ...headers } });

  it.each(['/', '/login', '/a/0193/mailbox?q=from%3Ax', '/apiary', '/index.html'])(
    'should serve the page to a browser that opens %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': PAGE_POLICY,
        'cache-control': 'no-cache',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      });
    },
  );

  it.each([
    '/api',
    '/api/',
    '/api/jobs',
    '/API/jobs',
    '/api/nothing',
    '/health/live',
    '/health',
    '/metrics',
    '/assets/gone-1.js',
    '/favicon.ico',
    '/assets/index-a1b2.js.map',
    '/../package.json',
    '/assets/..%2findex.html',
    '/%2e%2e/%2e%2e/etc/passwd.txt',
  ])('should leave %s to the router', async (path) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([404, 'the router']);
  });

  it('should serve the manifest with its own content type, to browsers that accept anything', async () => {
    const answer = await get('/manifest.webmanifest', { accept: '*/*' });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/manifest+json; charset=utf-8',
      'no-cache',
    ]);
  });

  it('should leave API clients and changes to the router', async () => {
    for (const accept of ['*/*', 'application/json', ''])
      expect((await get('/login', { accept })).status).toBe(404);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect((await get('/login', {}, method)).status).toBe(404);
  });

  it('should allow assets to be cached forever, in the compression that the client prefers', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get('/assets/index-a1b2.js', { 'accept-encoding': accepted });
      expect(await answer.text()).toBe(SCRIPT);
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    }
  });

  it('should answer 304 while a requested file is unchanged', async () => {
    for (const path of ['/', '/theme.js']) {
      const { headers } = await get(path);
      // Without this header, fetch adds one that asks for a full answer.
      const cached = { 'cache-control': 'max-age=0' };
      const again = await get(path, { 'if-none-match': headers.get('etag')!, ...cached });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await get(path, { 'if-none-match': '"another"', ...cached })).status).toBe(200);
    }
  });

  it('should answer HEAD without a body', async () => {
    const answer = await get('/login', {}, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-length')).toBe(String(PAGE.length));
  });

  it('should serve nothing where nothing was built', async () => {
    const empty = createServer(
      express()
        .use(webClient(join(folder, 'nowhere')))
        .use((_request, response) => void response.status(404).send()),
    ).listen(0, '127.0.0.1');
    await once(empty, 'listening');
    const { port } = empty.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: BROWSER } });
    expect(answer.status).toBe(404);
    empty.closeAllConnections();
    empty.close();
  });

  it('should distinguish a client that left from a missing file', () => {
    const left = failureOf(folder, 'ECONNABORTED');
    expect([left, (left as ClientGone).level]).toEqual([expect.any(ClientGone), 'debug']);
    expect(failureOf(folder, 'ENOENT')).not.toBeInstanceOf(ClientGone);
  });
});
