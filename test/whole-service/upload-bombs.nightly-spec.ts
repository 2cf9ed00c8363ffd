import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ImportUploadsService } from '../../src/archive/imports/import-uploads.service';
import { startTestApp, TestApp } from '../support/app';
import { ArchiveFixture } from '../support/archive/archive-fixture';
import { emlWithAttachment } from '../support/archive/eml';
import { importMbox, inMbox } from '../support/imports';
import { RawClient } from '../support/raw-http';
import type { TestUser } from '../support/test-user';
import { waitFor } from '../support/wait';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 2 * MIB;
const FILE_HEAD = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n\r\n';
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Requests, bodies and readers that nobody writes who means well. All of them over one service, which has to stay well. */
describe('Malicious requests', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { MAX_UPLOAD_BYTES: String(LIMIT) } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'bombs-0@sandbox.mailroom.test');
  });

  afterAll(async () => {
    for (const each of clients) each.leave();
    await app?.close();
  });

  function client(reads = true): RawClient {
    const raw = new RawClient(app.url, reads);
    clients.push(raw);
    return raw;
  }

  /** A request line and headers, the caller's own among them. */
  const head = (method: string, path: string, headers: readonly string[] = []): string =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: mailroom',
      `Authorization: Bearer ${user.api.token}`,
      ...headers,
      '',
      '',
    ].join('\r\n');
  const importPath = (): string => `/api/import/${sut.accountId}/mbox`;
  const uploadHead = (...headers: string[]): string =>
    head('POST', importPath(), ['Content-Type: multipart/form-data; boundary=cut', ...headers]);
  const jsonHead = (...headers: string[]): string =>
    head('POST', '/api/saved-searches', ['Content-Type: application/json', ...headers]);
  const uploads = (): string[] => {
    const directory = join(app.env['DATA_DIR']!, 'uploads');
    return existsSync(directory) ? readdirSync(directory) : [];
  };
  const rowsOf = async (table: string): Promise<number> =>
    Number((await app.dataSource.query(`SELECT count(*) FROM ${table}`))[0].count);

  /** Files below the data directory that this process has open, and connections of the pool that are in use. */
  const held = (): { files: number; connections: number } => {
    const pool = (app.dataSource.driver as unknown as { master: { totalCount: number; idleCount: number } })
      .master;
    const files = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(app.env['DATA_DIR']!);
      } catch {
        // Closed while they were listed.
        return false;
      }
    });
    return { files: files.length, connections: pool.totalCount - pool.idleCount };
  };
  const nothingHeld = (): Promise<unknown> =>
    waitFor(
      `nothing to be held, having ${JSON.stringify(held())}`,
      () => held().files === 0 && held().connections === 0,
    );

  afterEach(async () => {
    const ready = await fetch(new URL('/health/ready', app.url));
    expect(ready.status).toBe(200);
    await nothingHeld();
    await app.app.get(ImportUploadsService).deleteFinished();
    expect(uploads()).toEqual([]);
    expect(await rowsOf('import_uploads')).toBe(0);
  });

  describe('compressed bodies', () => {
    it('should be refused when they exceed the limit of a body, however they are compressed', async () => {
      const bomb = Buffer.from(JSON.stringify({ name: 'x'.repeat(8 * MIB), query: 'x' }));
      for (const [encoding, packed] of [
        ['gzip', gzipSync(bomb)],
        ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ] as const) {
        const raw = client()
          .send(jsonHead(`Content-Encoding: ${encoding}`, `Content-Length: ${packed.length}`))
          .send(packed);
        expect([encoding, await raw.answers()]).toEqual([encoding, [413]]);
        raw.leave();
      }
    });

    it.each([
      ['in an unknown encoding', 'Content-Encoding: rot13', '{}'],
      ['in two encodings', 'Content-Encoding: gzip, gzip', gzipSync(gzipSync('{}'))],
      ['in another encoding than declared', 'Content-Encoding: gzip', '{}'],
      ['that are cut off', 'Content-Encoding: gzip', gzipSync('{"name":"a","query":"b"}').subarray(0, 20)],
    ])('should be refused %s', async (_what, header, body) => {
      const raw = client()
        .send(jsonHead(header, `Content-Length: ${Buffer.byteLength(body)}`))
        .send(Buffer.from(body));
      expect([[400], [415]]).toContainEqual(await raw.answers());
      raw.leave();
    });

    it('should fail their import, not the service, when a file unpacks to hundreds of times its size', async () => {
      const zeros = gzipSync(Buffer.alloc(64 * MIB, '\n'), { level: 1 });
      const file = Buffer.concat([
        gzipSync(inMbox('Subject: bomb\n\nx\n')),
        ...Array.from({ length: 6 }, () => zeros),
      ]);
      expect(file.length).toBeLessThan(LIMIT);
      const before = process.memoryUsage().rss;
      expect(await importMbox(user, sut.accountId, file)).toMatchObject({
        status: 'failed',
        error_code: 'import-unpacks-too-large',
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * MIB);
    });

    it('should be unpacked in as many levels as are stated, and no more', async () => {
      const packed = (levels: number): Buffer =>
        levels === 0 ? Buffer.from(inMbox('Subject: inner\n\nx\n')) : gzipSync(packed(levels - 1));
      expect(await importMbox(user, sut.accountId, packed(6))).toMatchObject({ result: { imported: 1 } });
      expect(await importMbox(user, sut.accountId, packed(7))).toMatchObject({
        status: 'failed',
        error_code: 'no-mail-in-archive',
      });
    });
  });

  describe('uploads', () => {
    it.each<[string, () => string[]]>([
      [
        'thousands of fields',
        () => [
          Array.from(
            { length: 5_000 },
            (_, n) => `--cut\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nx\r\n`,
          ).join(''),
        ],
      ],
      ['thousands of files', () => [Array.from({ length: 2_000 }, () => `${FILE_HEAD}x\r\n`).join('')]],
      [
        'a field name of a megabyte',
        () => [`--cut\r\nContent-Disposition: form-data; name="${'n'.repeat(MIB)}"\r\n\r\nx\r\n`],
      ],
      ['a file name of a megabyte', () => [FILE_HEAD.replace('a.mbox', 'n'.repeat(MIB)), 'x\r\n']],
      ['part headers without end', () => [`--cut\r\n${'X-Filler: some text\r\n'.repeat(20_000)}\r\n`]],
      [
        'a multipart in a multipart',
        () => ['--cut\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n\r\nx\r\n--in--\r\n'],
      ],
      ['only an end boundary', () => []],
      ['a file that is not in a field', () => ['--cut\r\nContent-Type: text/plain\r\n\r\nx\r\n']],
      ['bytes that are not multipart', () => ['\0'.repeat(100_000)]],
    ])('should be refused with %s', async (_what, parts) => {
      const body = `${parts().join('')}--cut--\r\n`;
      const raw = client()
        .send(uploadHead(`Content-Length: ${Buffer.byteLength(body)}`))
        .send(body);
      expect([[400], [413]]).toContainEqual(await raw.answers());
      raw.leave();
    });

    it.each([
      ['without a boundary', 'multipart/form-data'],
      ['with an empty boundary', 'multipart/form-data; boundary='],
      ['with a boundary of 5 KB', `multipart/form-data; boundary=${'b'.repeat(5_000)}`],
      ['with an unclosed boundary', 'multipart/form-data; boundary="cut'],
      ['as another multipart', 'multipart/mixed; boundary=cut'],
      ['with two boundaries', 'multipart/form-data; boundary=cut; boundary=other; charset=utf-7'],
    ])('should be refused %s', async (_what, type) => {
      const body = `--other${FILE_HEAD.slice(5)}x\r\n--other--\r\n`;
      const raw = client()
        .send(head('POST', importPath(), [`Content-Type: ${type}`, `Content-Length: ${body.length}`]))
        .send(body);
      expect([[400], [415]]).toContainEqual(await raw.answers());
      raw.leave();
    });

    it('should be refused before they are read when they announce too much, and cut off when they do not', async () => {
      const announced = client().send(uploadHead(`Content-Length: ${100 * LIMIT}`, 'Expect: 100-continue'));
      // Node asks for the body before anybody has looked at the headers.
      expect((await announced.answers(2)).at(-1)).toBe(413);
      const endless = client().send(uploadHead('Transfer-Encoding: chunked')).send(chunked(FILE_HEAD));
      while (endless.statuses.length === 0 && !endless.closed) {
        endless.send(chunked('x'.repeat(64 * KIB)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(endless.statuses).toEqual([413]);
      for (const raw of [announced, endless]) raw.leave();
    });

    it('should leave no file and no row wherever the client disconnects', async () => {
      const jobs = await rowsOf('jobs');
      const body = `${FILE_HEAD}${inMbox('Subject: gone\n\nx\n').repeat(2_000)}`;
      const gone = Array.from({ length: 30 }, (_, turn) => {
        const raw = client().send(uploadHead(`Content-Length: ${body.length * 2}`));
        raw.send(body.slice(0, Math.floor((body.length * turn) / 30)));
        return raw;
      });
      // Some of them have reached the disk by then, some have not, and most have been refused.
      await waitFor('uploads to have begun', () => uploads().length > 0);
      for (const raw of gone) raw.leave();
      await waitFor('the partial files to go', () => uploads().length === 0);
      await waitFor('their rows to go', async () => (await rowsOf('import_uploads')) === 0);
      expect(await rowsOf('jobs')).toBe(jobs);
    });
  });

  describe('ambiguous requests', () => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';

    it.each([
      [
        'a length and chunks',
        jsonHead,
        ['Content-Length: 5', 'Transfer-Encoding: chunked'],
        `0\r\n\r\n${smuggled}`,
      ],
      ['two lengths', jsonHead, ['Content-Length: 2', 'Content-Length: 40'], `{}${smuggled}`],
      ['lengths in one line', jsonHead, ['Content-Length: 2, 40'], `{}${smuggled}`],
      ['a length with a sign', jsonHead, ['Content-Length: +2'], `{}${smuggled}`],
      ['a length in hexadecimal digits', jsonHead, ['Content-Length: 0x2'], `{}${smuggled}`],
      ['another transfer encoding', jsonHead, ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
      ['chunks that are not last', jsonHead, ['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${smuggled}`],
      [
        'a blank before the colon',
        jsonHead,
        ['Transfer-Encoding : chunked', 'Content-Length: 2'],
        `{}${smuggled}`,
      ],
      ['a folded header', jsonHead, ['X-A: b', ' Content-Length: 2'], `{}${smuggled}`],
      [
        'a chunk whose size is not a number',
        jsonHead,
        ['Transfer-Encoding: chunked'],
        `zz\r\n{}\r\n0\r\n\r\n${smuggled}`,
      ],
      [
        'a chunk larger than any',
        jsonHead,
        ['Transfer-Encoding: chunked'],
        `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${smuggled}`,
      ],
    ])('should be refused, and nothing behind them read: %s', async (_what, make, headers, rest) => {
      const raw = client().send(make(...headers) + rest);
      const statuses = await raw.end();
      expect(statuses.length).toBeLessThanOrEqual(1);
      for (const status of statuses) expect([400, 501]).toContain(status);
      expect(raw.received).not.toContain('/smuggled');
    });

    it('should be answered one after the other when they arrive in one piece', async () => {
      const raw = client().send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      expect(await raw.answers(50)).toEqual(Array.from({ length: 50 }, () => 200));
      raw.leave();
    });

    it('should not be confused with the rest of a refused body', async () => {
      const body = `{"x": "${'y'.repeat(200 * KIB)}"}`;
      const raw = client().send(
        `${jsonHead(`Content-Length: ${body.length}`)}${body}GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      const statuses = await raw.answers(2);
      expect([[413], [413, 200]]).toContainEqual(statuses);
      raw.leave();
    });
  });

  describe('lines and headers', () => {
    it.each([
      ['an address of 100 KB', () => head('GET', `/api/${'a'.repeat(100_000)}`), [414, 431]],
      ['a query of 100 KB', () => head('GET', `/api/saved-searches?q=${'a'.repeat(100_000)}`), [414, 431]],
      [
        'a header of 100 KB',
        () => head('GET', '/api/saved-searches', [`X-A: ${'a'.repeat(100_000)}`]),
        [431],
      ],
      [
        'thousands of headers',
        () =>
          head(
            'GET',
            '/api/saved-searches',
            Array.from({ length: 5_000 }, (_, n) => `X-${n}: a`),
          ),
        [431],
      ],
      ['an address with a NUL', () => head('GET', '/api/\0'), [400]],
      ['a header with a NUL', () => head('GET', '/api/saved-searches', ['X-A: \0']), [400]],
      ['no host', () => 'GET /health/live HTTP/1.1\r\n\r\n', [400]],
      ['an unknown method', () => head('BREW', '/api/saved-searches'), [400]],
      ['CONNECT', () => 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n', [400, 404, 405]],
      [
        'an upgrade',
        () =>
          head('GET', '/api/saved-searches', [
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Version: 13',
          ]),
        [200, 400, 426],
      ],
      ['the version of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505]],
      ['an unknown version', () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', [400, 505]],
      ['broken percent signs', () => head('GET', '/api/%E0%A4%A/x'), [400, 404]],
      ['a foreign address in the line', () => head('GET', 'http://evil.example/api/nothing'), [404]],
      [
        'a token of 10 KB',
        () =>
          `GET /api/saved-searches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a.'.repeat(5_000)}\r\n\r\n`,
        [401],
      ],
    ])('should be refused or answered with %s', async (_what, make, expected) => {
      const raw = client().send(make());
      const statuses = await raw.answers();
      // A connection that is closed without a word is an end, too.
      for (const status of statuses) expect(expected).toContain(status);
      if (statuses.length === 0) expect(raw.closed).toBe(true);
      raw.leave();
    });

    it('should be answered without a body for OPTIONS and HEAD, and with 417 for an impossible expectation', async () => {
      const options = client().send(
        head('OPTIONS', '/api/saved-searches', [
          'Origin: http://evil.example',
          'Access-Control-Request-Method: GET',
        ]),
      );
      const [status = 0] = await options.answers();
      expect([200, 204, 404, 405]).toContain(status);
      expect(options.received).not.toMatch(/allow-origin: http:\/\/evil/i);
      const headOnly = client().send(head('HEAD', '/health/live'));
      expect(await headOnly.answers()).toEqual([200]);
      const expecting = client().send(jsonHead('Expect: something', 'Content-Length: 2') + '{}');
      expect(await expecting.answers()).toEqual([417]);
      const continued = client().send(jsonHead('Expect: 100-continue', 'Content-Length: 2'));
      await waitFor('the service to ask for the body', () => continued.received.startsWith('HTTP/1.1 100'));
      continued.send('{}');
      expect((await continued.answers(2)).at(-1)).toBe(400);
      for (const raw of [options, headOnly, expecting, continued]) raw.leave();
    });
  });

  describe('clients that do not read', () => {
    let downloads: string[];

    beforeAll(async () => {
      const content = Buffer.alloc(8 * MIB, 'mailroom');
      const [mailId] = await sut.insertAndArchive(
        emlWithAttachment({ disposition: 'filename="big.bin"', content }),
      );
      const { body } = await user.api.get(`${sut.path}/mails/${mailId}`);
      downloads = [
        head('GET', `${sut.path}/attachments/${body.attachments[0].id}/download`),
        head('GET', `${sut.path}/mails/${mailId}/eml`),
        ...[`${sut.path}/export-zip`, `/api/import/${sut.accountId}/export-mbox`].map((path) => {
          const json = JSON.stringify({ mailIds: [mailId] });
          return (
            head('POST', path, ['Content-Type: application/json', `Content-Length: ${json.length}`]) + json
          );
        }),
      ];
    });

    it('should hold no database connection while they read nothing, and nothing at all once they are gone', async () => {
      const rounds = 2;
      const before = process.memoryUsage().rss;
      for (let round = 0; round < rounds; round++) {
        const silent = Array.from({ length: 12 }, (_, turn) =>
          client(false).send(downloads[turn % downloads.length] as string),
        );
        await waitFor('the downloads to have begun', () => held().files >= 5);
        await waitFor('the database to be free', () => held().connections === 0);
        for (const raw of silent) raw.leave();
        await nothingHeld();
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * MIB);
    });

    it('should release everything when they disconnect halfway', async () => {
      const leaving = Array.from({ length: 12 }, (_, turn) =>
        client().send(downloads[turn % downloads.length] as string),
      );
      await Promise.all(leaving.map((raw) => raw.answers()));
      for (const raw of leaving) raw.leave();
      await nothingHeld();
    });

    it('should get one answer for thousands of ranges', async () => {
      const ranges = Array.from({ length: 500 }, (_, at) => `${at * 20}-${at * 20 + 5}`).join(',');
      const raw = client().send(
        (downloads[0] as string).replace('\r\n\r\n', `\r\nRange: bytes=${ranges}\r\n\r\n`),
      );
      expect(await raw.answers()).toEqual([200]);
      raw.leave();
    });

    it('should free their slots when they open and drop event streams', async () => {
      for (let round = 0; round < 5; round++) {
        const streams = Array.from({ length: 20 }, (_, turn) =>
          client().send(head('GET', turn % 2 === 0 ? '/api/jobs/events' : '/api/notifications/events')),
        );
        await Promise.all(streams.map((raw) => raw.answers()));
        expect(streams.every((raw) => raw.statuses[0] === 200)).toBe(true);
        for (const raw of streams) raw.leave();
        await waitFor('the places to be free', async () => {
          const again = client().send(head('GET', '/api/jobs/events'));
          const [status] = await again.answers();
          again.leave();
          return status === 200;
        });
        await nothingHeld();
      }
    });
  });

  it('should have their connections closed when the headers do not arrive', async () => {
    app.app.getHttpServer().headersTimeout = 500;
    const trickling = client().send('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const beat = setInterval(() => trickling.send('x'), 50);
    try {
      expect([[408], []]).toContainEqual(await trickling.end());
    } finally {
      clearInterval(beat);
    }
  });
});
