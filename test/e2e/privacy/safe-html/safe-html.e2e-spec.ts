import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressGuard } from '../../../../src/platform/egress/egress-guard';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import {
  encryptByHand,
  PASSPHRASE,
  PASSPHRASE_HEADER,
  setUpPassphrase,
} from '../../../support/encryption/encrypted-mail';
import { unsafeContent } from '../../../support/safe-html/unsafe-content';
import type { TestUser } from '../../../support/test-user';

const APP_URL = 'https://mail.example.org';
/** 1×1, transparent. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
  'base64',
);

const NEWSLETTER = eml(
  'From: News <news@shop.example>',
  'Subject: 50% <off> & more',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary="alt"',
  '',
  '--alt',
  'Content-Type: text/plain',
  '',
  'The plain one.',
  '--alt',
  'Content-Type: multipart/related; boundary="rel"',
  '',
  '--rel',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html><head><script>alert(1)</script><style>.hero{color:red;position:fixed}</style></head>',
  '<body onload=3D"alert(2)"><h1 class=3D"hero">Caf=E9</h1>',
  '<a href=3D"https://shop.example/sale?id=3D7&utm_source=3Dnews&utm_medium=3Dmail" onclick=3D"x()">Sale</a>',
  '<a href=3D"javascript:alert(3)">Win</a>',
  '<img src=3D"cid:logo@shop" alt=3D"Logo"><img src=3D"cid:bad@shop" alt=3D"Drawing">',
  '<img src=3D"https://cdn.shop.example/hero.jpg" alt=3D"A red coat" width=3D600>',
  '<img src=3D"https://shop.us1.list-manage.com/track/open.php?u=3Dabc&id=3D1" width=3D1 height=3D1>',
  '</body></html>',
  '--rel',
  'Content-Type: application/octet-stream',
  'Content-ID: <logo@shop>',
  'Content-Transfer-Encoding: base64',
  '',
  PNG,
  '--rel',
  'Content-Type: image/png',
  'Content-ID: <bad@shop>',
  'Content-Transfer-Encoding: base64',
  '',
  SVG,
  '--rel--',
  '--alt--',
  '',
);

describe('Reading an archived mail as safe HTML', () => {
  let app: TestApp;
  let user: TestUser;
  let stranger: TestUser;
  let box: ArchiveFixture;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { APP_URL } });
    user = await app.user();
    stranger = await app.user('stranger');
    box = await ArchiveFixture.connect(app, user, 'reading-0@sandbox.mailroom.test');
    await setUpPassphrase(user);
  });

  afterAll(() => app?.close());

  const path = (mailId: string): string => `${box.path}/mails/${mailId}/safe-html`;
  const json = (mailId: string, headers: Record<string, string> = {}) =>
    user.api.get(path(mailId), { headers: { accept: 'application/json', ...headers } });
  const archived = async (...lines: string[]): Promise<string> =>
    (await box.insertAndArchive(eml(...lines)))[0]!;

  describe('a newsletter', () => {
    let mailId: string;

    beforeAll(async () => {
      [mailId] = (await box.insertAndArchive(NEWSLETTER)) as [string];
    });

    it('should be a document that its headers isolate', async () => {
      const { status, headers, bytes } = await user.api.get(path(mailId), {
        headers: { origin: APP_URL },
      });
      expect(status).toBe(200);
      const named = (name: string): string | null => headers.get(name);
      expect({
        type: named('content-type'),
        policy: named('content-security-policy'),
        sniffing: named('x-content-type-options'),
        caching: named('cache-control'),
        referrer: named('referrer-policy'),
        resource: named('cross-origin-resource-policy'),
        frames: named('x-frame-options'),
        opener: named('cross-origin-opener-policy'),
        trackers: named('x-trackers-removed'),
        blocked: named('x-remote-content-blocked'),
      }).toEqual({
        type: 'text/html; charset=utf-8',
        policy:
          "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; " +
          `frame-ancestors ${APP_URL}; sandbox allow-popups allow-popups-to-escape-sandbox`,
        sniffing: 'nosniff',
        caching: 'private, no-store',
        referrer: 'no-referrer',
        resource: 'same-site',
        frames: null,
        opener: null,
        trackers: '2',
        blocked: '1',
      });
      expect(named('vary')).toMatch(/\bAccept\b/);
      expect(named('access-control-expose-headers')).toMatch(/X-Trackers-Removed,X-Remote-Content-Blocked/);
      const html = bytes.toString('utf8');
      expect(unsafeContent(html)).toEqual([]);
      expect(html).toContain('<h1 class="m1-hero">Café</h1>');
      expect(html).toContain('<title>50% &lt;off&gt; &amp; more</title>');
      expect(html).toContain('href="https://shop.example/sale?id=7"');
      expect(html).toContain(`src="data:image/png;base64,${PNG}"`);
      expect(html).toContain('>A red coat</span>');
      expect(html).toContain('>Drawing</span>');
      expect(html).not.toMatch(/alert|list-manage|cdn\.shop|utm_|plain one/);
    });

    it('should have the same headers without its content', async () => {
      const whole = await user.api.get(path(mailId));
      const { status, headers } = await user.api.fetch('HEAD', path(mailId));
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-length')).toBe(String(whole.bytes.length));
      expect(headers.get('x-trackers-removed')).toBe('2');
    });

    it('should list removed content in JSON', async () => {
      const { status, headers, body } = await json(mailId);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-trackers-removed')).toBe('2');
      expect(body).toEqual({
        html: expect.stringContaining('Café'),
        trackersRemoved: 2,
        remoteContentBlocked: 1,
        inlineImages: 1,
        truncated: false,
        remoteImages: 1,
        remoteImageHosts: ['cdn.shop.example'],
        protection: null,
        invitations: [],
        doubts: [],
        trackers: [
          {
            type: 'pixel',
            domain: 'shop.us1.list-manage.com',
            url: 'https://shop.us1.list-manage.com/track/open.php?u=abc&id=1',
          },
          { type: 'utm', domain: 'shop.example', params: ['utm_source', 'utm_medium'] },
        ],
      });
      const document = await user.api.get(path(mailId), { headers: { accept: 'text/html' } });
      expect(body.html).toBe(document.bytes.toString('utf8'));
    });

    it('should be HTML unless the client prefers JSON', async () => {
      for (const accept of [
        '*/*',
        'text/html,application/xhtml+xml,*/*;q=0.8',
        'image/png',
        'text/html, application/json',
      ]) {
        const { headers } = await user.api.get(path(mailId), { headers: { accept } });
        expect([accept, headers.get('content-type')]).toEqual([accept, 'text/html; charset=utf-8']);
      }
    });

    it('should be readable by its owner only', async () => {
      const images = `${box.path}/mails/${mailId}/remote-images`;
      expect((await app.anonymous.post(images, {})).status).toBe(401);
      expect((await stranger.api.post(images, {})).status).toBe(403);
      expect((await app.anonymous.get(path(mailId))).status).toBe(401);
      expect((await stranger.api.get(path(mailId))).status).toBe(403);
      const foreign = await ArchiveFixture.connect(app, stranger, 'other-0@sandbox.mailroom.test');
      expect((await stranger.api.get(`${foreign.path}/mails/${mailId}/safe-html`)).status).toBe(404);
      const unknownId = '01890000-0000-7000-8000-000000000000';
      const unknown = await user.api.get(path(unknownId));
      expect(unknown).toMatchObject({ status: 404, body: { code: 'mail-not-found' } });
      expect(unknown.headers.get('content-type')).toMatch(/problem\+json/);
      expect((await user.api.get(path('nonsense'))).status).toBe(400);
      const noImages = await user.api.post(`${box.path}/mails/${unknownId}/remote-images`, {});
      expect(noImages).toMatchObject({ status: 404, body: { code: 'mail-not-found' } });
    });
  });

  it('should show plain text with its quotes, flowed lines and links', async () => {
    const mailId = await archived(
      'Subject: plain',
      'Content-Type: text/plain; charset=utf-8; format=flowed',
      '',
      'A long ',
      'line <b>& more</b>',
      '> quoted',
      'See https://example.org/?a=1&utm_source=x.',
    );
    const { body } = await json(mailId);
    expect(unsafeContent(body.html as string)).toEqual([]);
    expect(body.html).toContain(
      'A long line &lt;b&gt;&amp; more&lt;/b&gt;<blockquote>quoted</blockquote>See <a href="https://example.org/?a=1"',
    );
    expect(body).toMatchObject({ trackersRemoved: 1, remoteContentBlocked: 0 });
  });

  it('should show several parts in order, and no attachments', async () => {
    const part = (type: string, text: string): string[] => ['--cut', `Content-Type: ${type}`, '', text];
    const mailId = await archived(
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="cut"',
      '',
      ...part('text/html', '<p>first</p>'),
      ...part(
        'text/html; charset=utf-8\r\nContent-Disposition: attachment; filename=a.html',
        '<p>attached</p>',
      ),
      ...part('text/plain', 'second'),
      ...part('text/html', '<p>third</p>'),
      '--cut--',
    );
    const { html } = (await json(mailId)).body;
    expect(html).toMatch(/first.*second.*third/s);
    expect(html).not.toContain('attached');
  });

  it.each([
    ['utf-16le', Buffer.from('<p>Привет</p>', 'utf16le')],
    ['koi8-r', Buffer.from([0x3c, 0x70, 0x3e, 0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4])],
    ['iso-2022-jp', Buffer.from('\x1b$B%F%9%H\x1b(B', 'latin1')],
  ])('should read %s', async (charset, bytes) => {
    const mailId = await archived(
      `Content-Type: text/html; charset=${charset}`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64'),
    );
    expect((await json(mailId)).body.html).toMatch(/Привет|テスト/);
  });

  describe('with remote images', () => {
    let host: Server;
    const asked: string[] = [];

    beforeAll(async () => {
      host = createServer((request, response) => {
        asked.push(request.url!);
        response.end(Buffer.from(PNG, 'base64'));
      }).listen(0, '127.0.0.1');
      await once(host, 'listening');
    });

    afterEach(() => jest.restoreAllMocks());

    afterAll(() => {
      host.closeAllConnections();
      host.close();
    });

    const newsletter = (): Promise<string> => {
      const { port } = host.address() as AddressInfo;
      const at = `http://pictures.example:${port}`;
      return archived(
        'Content-Type: text/html',
        '',
        `<img src="${at}/coat.png" alt="A coat"><img src="${at}/coat.png#again">`,
        `<img src="${at}/open.gif?u=7" width=1 height=1>`,
        `<img src="http://127.0.0.1:${port}/inside.png" alt="Inside">`,
        `<img src="http://localhost:${port}/inside.png" alt="Inside too">`,
      );
    };

    it('should fetch them on request, but never trackers or from private networks', async () => {
      asked.splice(0);
      const mailId = await newsletter();
      const guard = app.app.get(EgressGuard);
      const resolvePublic = guard.resolvePublic.bind(guard);
      jest
        .spyOn(guard, 'resolvePublic')
        .mockImplementation((name, ...rest) =>
          name === 'pictures.example'
            ? Promise.resolve({ address: '127.0.0.1', family: 4 })
            : resolvePublic(name, ...rest),
        );
      const before = await json(mailId);
      expect(before.body).toMatchObject({
        remoteImages: 3,
        remoteImageHosts: ['pictures.example', '127.0.0.1', 'localhost'],
        remoteContentBlocked: 4,
        trackersRemoved: 1,
      });
      expect(asked).toEqual([]);

      const { status, headers, body } = await user.api.post(`${box.path}/mails/${mailId}/remote-images`, {});
      expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')]);
      expect(body).toMatchObject({
        remoteImagesShown: 1,
        remoteImagesFailed: 2,
        remoteContentBlocked: 2,
        trackersRemoved: 1,
      });
      expect(unsafeContent(body.html as string)).toEqual([]);
      expect((body.html as string).split(`src="data:image/png;base64,${PNG}"`)).toHaveLength(3);
      expect(asked).toEqual(['/coat.png']);

      // Nothing of it is kept: the next reader's look is without them, and the next click fetches again.
      expect((await json(mailId)).body).toEqual(before.body);
      await user.api.post(`${box.path}/mails/${mailId}/remote-images`, {});
      expect(asked).toEqual(['/coat.png', '/coat.png']);
    });

    it('should require the passphrase of encrypted mail', async () => {
      const mailId = await newsletter();
      await encryptByHand(box, mailId);
      asked.splice(0);
      const images = `${box.path}/mails/${mailId}/remote-images`;
      expect(await user.api.post(images, {})).toMatchObject({
        status: 409,
        body: { code: 'mails-encrypted' },
      });
      const opened = await user.api.post(images, {}, { headers: { [PASSPHRASE_HEADER]: PASSPHRASE } });
      expect(opened.status).toBe(200);
      expect(opened.body).toMatchObject({ remoteImagesShown: 0, remoteImagesFailed: 3 });
      expect(asked).toEqual([]);
    });
  });

  it('should report that there is nothing to show', async () => {
    const mailId = await archived('Subject: empty', 'Content-Type: text/html', '', ' ');
    const { status, bytes } = await user.api.get(path(mailId));
    expect(status).toBe(200);
    expect(bytes.toString()).toContain('This message has no text to show.');
  });

  it('should decrypt encrypted mail only with its passphrase', async () => {
    const mailId = await archived('Content-Type: text/html', '', '<p>secret words</p><script>1</script>');
    await encryptByHand(box, mailId);
    expect(await json(mailId)).toMatchObject({ status: 409, body: { code: 'mails-encrypted' } });
    expect(await json(mailId, { [PASSPHRASE_HEADER]: 'a wrong passphrase' })).toMatchObject({
      status: 403,
      body: { code: 'passphrase-invalid' },
    });
    const opened = await json(mailId, { [PASSPHRASE_HEADER]: PASSPHRASE });
    expect(opened.status).toBe(200);
    expect(opened.body.html).toContain('<p>secret words</p>');
  });

  it('should answer hostile mail in time, truncated', async () => {
    const mailId = await archived('Content-Type: text/html', '', '<b>'.repeat(1_500_000), '</p><p>end');
    const { status, body } = await json(mailId);
    expect(status).toBe(200);
    expect(body.truncated).toBe(true);
    expect(body.html).toContain('This message is too large to be shown whole.');
    expect(unsafeContent(body.html as string)).toEqual([]);
  });
});
