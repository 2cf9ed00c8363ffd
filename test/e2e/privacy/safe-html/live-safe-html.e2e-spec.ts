import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RemoteImageClient } from '../../../../src/privacy/safe-html/remote-image-client';
import { startTestApp, TestApp } from '../../../support/app';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { attachedFile, CODEPAGE_1252, tnefFile } from '../../../support/mime/tnef-file';
import type { TestUser } from '../../../support/test-user';

const EMAIL = 'reading-1@sandbox.mailroom.test';
const PDF = Buffer.from('%PDF-1.7').toString('base64');

const NEWSLETTER = eml(
  'From: News <news@shop.example>',
  'Subject: Sale',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="B"',
  '',
  '--B',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<body onload="alert(1)"><h1>Sale</h1><script>alert(2)</script>',
  '<img src="https://cdn.shop.example/hero.jpg" alt="A red coat" width=600>',
  '<img src="https://shop.us1.list-manage.com/track/open.php?u=abc&id=1" width=1 height=1></body>',
  '--B',
  'Content-Type: application/pdf; name="invoice.pdf"',
  'Content-Disposition: attachment; filename="invoice.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  PDF,
  '--B--',
  '',
);

describe('Reading a live message as safe HTML', () => {
  let sut: TestApp;
  let user: TestUser;
  let accountId: string;
  let mailbox: SandboxMailbox;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    accountId = await user.connect(EMAIL);
    mailbox = sut.sandbox.mailbox(EMAIL);
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.stats.reset());

  const path = (messageId: string): string => `/api/mailbox/${accountId}/messages/${messageId}`;

  it('should return no scripts, remote content or trackers, with a list of the downloadable files', async () => {
    const id = mailbox.insert(NEWSLETTER, { labelIds: ['INBOX', 'UNREAD'] });
    const { status, body, headers } = await user.api.get(`${path(id)}/safe-html`);
    expect(status).toBe(200);
    expect(body).toEqual({
      html: expect.stringContaining('<h1>Sale</h1>'),
      trackersRemoved: 1,
      remoteContentBlocked: 1,
      remoteImages: 1,
      remoteImageHosts: ['cdn.shop.example'],
      protection: null,
      invitations: [],
      doubts: [],
      inlineImages: 0,
      truncated: false,
      trackers: [{ type: 'pixel', domain: 'shop.us1.list-manage.com', url: expect.any(String) }],
      attachments: [{ partId: '1', filename: 'invoice.pdf', mime_type: 'application/pdf', size_bytes: 8 }],
    });
    expect(body.html).not.toMatch(/script>|onload|hero\.jpg"/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const file = await user.api.get(`${path(id)}/attachments/${body.attachments[0].partId}`);
    expect(file.bytes.toString()).toBe('%PDF-1.7');
  });

  it('should list files in wrappings, which are downloaded as others are', async () => {
    const file = tnefFile(CODEPAGE_1252, ...attachedFile('green.txt', Buffer.from('green')));
    const raw = emlWithAttachment({
      disposition: 'filename="winmail.dat"',
      mimeType: 'application/ms-tnef',
      content: file,
    });
    const id = mailbox.insert(raw);
    const { body } = await user.api.get(`${path(id)}/safe-html`);
    const found = body.attachments.find(({ filename }: { filename: string }) => filename === 'green.txt');
    expect(found).toEqual({
      partId: 'contained-2.1',
      filename: 'green.txt',
      mime_type: 'text/plain',
      size_bytes: 5,
    });
    const download = await user.api.get(`${path(id)}/attachments/${found.partId}`);
    expect(download.bytes.toString()).toBe('green');
    expect(download.headers.get('content-disposition')).toContain('green.txt');
    const unknown = await user.api.get(`${path(id)}/attachments/contained-9.9`);
    expect(unknown.status).toBe(404);
  });

  it('should change nothing, and take two calls', async () => {
    const id = mailbox.insert(NEWSLETTER, { labelIds: ['INBOX', 'UNREAD'] });
    await user.api.get(`${path(id)}/safe-html`);
    expect(mailbox.labels(id)).toContain('UNREAD');
    const { batch: _wholes, ...calls } = sut.sandbox.stats.calls;
    expect(calls).toEqual({ 'messages.get': 2 });
  });

  it('should answer 404 for a message that does not exist, and reveal nothing to other users', async () => {
    for (const id of ['ffffffffffffffff', 'no-id'])
      expect((await user.api.get(`${path(id)}/safe-html`)).body.code).toBe('message-not-found');
    const id = mailbox.insert(NEWSLETTER);
    const stranger = await sut.user('stranger');
    expect((await stranger.api.get(`${path(id)}/safe-html`)).body.code).toBe('account-not-owned');
    expect((await sut.anonymous.get(`${path(id)}/safe-html`)).status).toBe(401);
  });

  describe('with remote images', () => {
    const PNG =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const LETTER = eml(
      'Content-Type: text/html',
      '',
      '<img src="https://pictures.example/coat.png"><img src="https://pictures.example/open.gif?u=7" width=1 height=1>',
      '<img src="http://127.0.0.1:9/inside.png">',
    );

    afterEach(() => jest.restoreAllMocks());

    it('should fetch them on request, store nothing, and leave the message unread', async () => {
      const id = mailbox.insert(LETTER, { labelIds: ['INBOX', 'UNREAD'] });
      const asked: string[] = [];
      const client = sut.app.get(RemoteImageClient);
      const fetch = client.fetch.bind(client);
      jest.spyOn(client, 'fetch').mockImplementation((address, ...rest) => {
        asked.push(address);
        return address.startsWith('https://pictures.example/')
          ? Promise.resolve(Buffer.from(PNG, 'base64'))
          : fetch(address, ...rest);
      });
      const before = (await user.api.get(`${path(id)}/safe-html`)).body;
      expect(before).toMatchObject({
        remoteImages: 2,
        remoteImageHosts: ['pictures.example', '127.0.0.1'],
        trackersRemoved: 1,
      });
      expect(asked).toEqual([]);
      const { status, headers, body } = await user.api.post(`${path(id)}/remote-images`, {});
      expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(body).toMatchObject({ remoteImagesShown: 1, remoteImagesFailed: 1, trackersRemoved: 1 });
      expect(body.html).toContain(`src="data:image/png;base64,${PNG}"`);
      expect(asked.sort()).toEqual(['http://127.0.0.1:9/inside.png', 'https://pictures.example/coat.png']);
      expect((await user.api.get(`${path(id)}/safe-html`)).body).toEqual(before);
      expect(mailbox.labels(id)).toContain('UNREAD');
    });

    it('should answer 404 for a message that does not exist, and fetch nothing for other users', async () => {
      const fetched = jest.spyOn(sut.app.get(RemoteImageClient), 'fetch');
      for (const id of ['ffffffffffffffff', 'no-id'])
        expect((await user.api.post(`${path(id)}/remote-images`, {})).body.code).toBe('message-not-found');
      const id = mailbox.insert(LETTER);
      const other = await sut.user();
      expect((await other.api.post(`${path(id)}/remote-images`, {})).body.code).toBe('account-not-owned');
      expect((await sut.anonymous.post(`${path(id)}/remote-images`, {})).status).toBe(401);
      expect(fetched).not.toHaveBeenCalled();
    });
  });

  it('should report that a mailbox is switched off', async () => {
    const id = mailbox.insert(NEWSLETTER);
    await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
    expect((await user.api.get(`${path(id)}/safe-html`)).body.code).toBe('mailbox-disconnected');
    await user.api.patch(`/api/auth/mailbox/${accountId}/toggle`);
  });
});
