import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import {
  encryptByHand,
  PASSPHRASE_HEADER,
  setUpPassphrase,
} from '../../../support/encryption/encrypted-mail';
import type { TestUser } from '../../../support/test-user';

const MIB = 1024 * 1024;
const ACCENTED = ' cr\u00e8me br\u00fbl\u00e9e \u{1f36e} ';

describe('Downloads of encrypted mail', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  const content = randomBytes(3 * MIB);
  const small = eml('From: a@example.com', 'Subject: small', '', 'secret words');
  const large = emlWithAttachment({ disposition: 'filename="a.bin"', content });
  let plainId: string;
  let smallId: string;
  let largeId: string;
  let smallKey: string;
  let attachmentId: string;

  const eml_ = (mailId: string): string => `${sut.path}/mails/${mailId}/eml`;
  const attachment = (): string => `${sut.path}/attachments/${attachmentId}/download`;
  const encoded = (passphrase: string): string => `UTF-8''${encodeURIComponent(passphrase)}`;
  const withPassphrase = (value = encoded(ACCENTED), more: Record<string, string> = {}) => ({
    headers: { [PASSPHRASE_HEADER]: value, ...more },
  });

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'downloads-0@sandbox.mailroom.test');
    await setUpPassphrase(user, ACCENTED);
    [plainId, smallId, largeId] = (await sut.insertAndArchive(
      eml('Subject: plain', '', 'x'),
      small,
      large,
    )) as any;
    smallKey = await encryptByHand(sut, smallId, ACCENTED);
    await encryptByHand(sut, largeId, ACCENTED);
    attachmentId = (await user.api.get(`${sut.path}/mails/${largeId}`)).body.attachments[0].id as string;
  });

  afterAll(() => app?.close());

  it('should return the exact bytes', async () => {
    for (const [id, bytes] of [
      [smallId, small],
      [largeId, large],
    ] as const) {
      const answer = await user.api.get(eml_(id), withPassphrase());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('message/rfc822');
      expect(sha256(answer.bytes)).toBe(sha256(bytes));
    }
    const answer = await user.api.get(attachment(), withPassphrase());
    expect([answer.status, sha256(answer.bytes)]).toEqual([200, sha256(content)]);
  });

  it('should support ranges', async () => {
    const ranges: [string, Buffer, number, number][] = [
      [eml_(smallId), small, 5, 20],
      [eml_(largeId), large, 0, 0],
      [eml_(largeId), large, 1_000_001, 2_500_002],
      [attachment(), content, 2_000_017, content.length - 1],
    ];
    for (const [path, bytes, start, end] of ranges) {
      const answer = await user.api.get(path, withPassphrase(undefined, { range: `bytes=${start}-${end}` }));
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${bytes.length}`);
      expect(answer.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  it('should have a validator that is not the hash of the file', async () => {
    const { headers } = await user.api.get(eml_(smallId), withPassphrase());
    const etag = headers.get('etag')!;
    const { sha256: stored } = [...(await sut.rows()).values()].find(({ id }) => id === smallId);
    expect(etag).not.toBe(`"${stored}"`);
    const again = await user.api.get(eml_(smallId), withPassphrase(undefined, { 'if-none-match': etag }));
    expect(again.status).toBe(304);
    // Nothing is said without the passphrase, not even that nothing has changed.
    expect((await user.api.get(eml_(smallId), { headers: { 'if-none-match': etag } })).status).toBe(409);
  });

  it('should answer 409 without a passphrase and 403 with a wrong one', async () => {
    for (const path of [eml_(smallId), eml_(largeId), attachment()]) {
      const without = await user.api.get(path);
      expect([without.status, without.body.code]).toEqual([409, 'mails-encrypted']);
      const wrong = await user.api.get(path, withPassphrase('wrong passphrase'));
      expect([wrong.status, wrong.body.code]).toEqual([403, 'passphrase-invalid']);
    }
    // Clears the attempts.
    expect((await user.api.fetch('HEAD', eml_(smallId), withPassphrase())).status).toBe(200);
  });

  it('should ignore the header for plain mail', async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect((await user.api.get(eml_(plainId), withPassphrase('wrong passphrase'))).status).toBe(200);
    }
    expect((await user.api.get(eml_(smallId), withPassphrase())).status).toBe(200);
  });

  it.each([
    ['too long', 'x'.repeat(1_025)],
    ['too long when decoded', encoded('\u00e9'.repeat(1_025))],
    ['bytes that are no UTF-8', 'caf\u00e9 cr\u00e8me'],
    ['percent-encoding cut short', "UTF-8''caf%C3"],
    ['percent-encoding of no UTF-8', "UTF-8''caf%E9"],
    ['empty', "UTF-8''"],
  ])('should refuse a header that is %s, naming it', async (_what, value) => {
    for (const id of [smallId, plainId]) {
      const { status, body, bytes } = await user.api.get(eml_(id), withPassphrase(value));
      expect([status, body.code]).toEqual([400, 'validation-failed']);
      expect(body.errors[0].field).toBe('X-Archive-Passphrase');
      expect(bytes.toString()).not.toContain('caf%');
    }
  });

  it('should refuse two passphrases', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = request(new URL(eml_(smallId), app.url), (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.setHeader('authorization', `Bearer ${user.api.token}`);
      sent.setHeader(PASSPHRASE_HEADER, ['one passphrase', 'another one']);
      sent.on('error', reject).end();
    });
    expect(status).toBe(400);
  });

  it('should accept a passphrase in plain UTF-8, and in either case of RFC 8187', async () => {
    const other = await ArchiveFixture.connect(app, await app.user(), 'utf8-0@sandbox.mailroom.test');
    const passphrase = 'cr\u00e8me \u{1f36e} 100%';
    await setUpPassphrase(other.user, passphrase);
    const [id] = await other.insertAndArchive(small);
    await encryptByHand(other, id!, passphrase);
    const values = [
      Buffer.from(passphrase).toString('latin1'),
      Buffer.from(passphrase.normalize('NFD')).toString('latin1'),
      `utf-8'fr'${encodeURIComponent(passphrase)}`,
      encoded(passphrase.normalize('NFD')),
    ];
    for (const value of values) {
      const answer = await other.user.api.get(`${other.path}/mails/${id}/eml`, withPassphrase(value));
      expect([answer.status, answer.bytes.equals(small)]).toEqual([200, true]);
    }
  });

  it('should not change the order of checks', async () => {
    expect((await app.anonymous.get(eml_(smallId), withPassphrase())).status).toBe(401);
    const foreign = await (await app.user()).api.get(eml_(smallId), withPassphrase("UTF-8''%"));
    expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
    const unknown = `${sut.path}/mails/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d/eml`;
    expect((await user.api.get(unknown, withPassphrase("UTF-8''%"))).status).toBe(400);
    expect((await user.api.get(unknown, withPassphrase('wrong passphrase'))).status).toBe(404);
  });

  it('should keep the content out of the record of the mail', async () => {
    const { body } = await user.api.get(`${sut.path}/mails/${smallId}`, withPassphrase());
    expect(body).toMatchObject({ is_encrypted: true, emlContent: null, subject: 'small' });
  });

  it('should allow browsers to send the header', async () => {
    const preflight = await app.anonymous.fetch('OPTIONS', eml_(smallId), {
      headers: {
        origin: new URL(app.env['APP_URL'] ?? app.url).origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': PASSPHRASE_HEADER,
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(PASSPHRASE_HEADER);
  });

  describe('when the file has changed', () => {
    const path = (): string => join(app.archiveDir, smallKey);

    it('should report that it is damaged, with the right passphrase only', async () => {
      const file = await readFile(path());
      const altered = Buffer.from(file);
      altered.writeUInt8(altered.readUInt8(80) ^ 1, 80);
      for (const damaged of [altered, file.subarray(0, -1), Buffer.concat([file, Buffer.alloc(1)]), small]) {
        await writeFile(path(), damaged);
        const { status, body } = await user.api.get(eml_(smallId), withPassphrase());
        expect([status, body.code]).toEqual([500, 'mail-undecryptable']);
      }
      const wrong = await user.api.get(eml_(smallId), withPassphrase('wrong passphrase'));
      expect(wrong.status).toBe(403);
      await writeFile(path(), file);
      expect((await user.api.get(eml_(smallId), withPassphrase())).status).toBe(200);
    });

    it('should report that it is missing, with the right passphrase only', async () => {
      await rename(path(), `${path()}.away`);
      const { status, body } = await user.api.get(eml_(smallId), withPassphrase());
      expect([status, body.code]).toEqual([404, 'archived-file-missing']);
      expect((await user.api.get(eml_(smallId), withPassphrase('wrong passphrase'))).status).toBe(403);
      await rename(`${path()}.away`, path());
      expect((await user.api.get(eml_(smallId), withPassphrase())).status).toBe(200);
    });

    it('should send nothing of a large mail that was altered anywhere', async () => {
      const [id] = await sut.insertAndArchive(Buffer.concat([Buffer.from('Subject: l\r\n\r\n'), content]));
      const key = join(app.archiveDir, await encryptByHand(sut, id!, ACCENTED));
      const file = await readFile(key);
      file.writeUInt8(file.readUInt8(file.length - 1) ^ 1, file.length - 1);
      await writeFile(key, file);
      const range = { range: 'bytes=0-99' };
      const { status, body } = await user.api.get(eml_(id!), withPassphrase(undefined, range));
      expect([status, body.code]).toEqual([500, 'mail-undecryptable']);
      await rm(key);
      expect((await user.api.get(eml_(id!), withPassphrase())).status).toBe(404);
    });
  });
});
