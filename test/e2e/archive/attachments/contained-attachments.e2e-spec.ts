import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { emlWithAttachment } from '../../../support/archive/eml';
import { attachedFile, CODEPAGE_1252, tnefFile } from '../../../support/mime/tnef-file';
import type { TestUser } from '../../../support/test-user';

const SIGNED = readFileSync(join(__dirname, '../../../fixtures/smime/opaque.eml'));
const ENCRYPTED = readFileSync(join(__dirname, '../../../fixtures/smime/encrypted.eml'));
const CONTENT = Buffer.alloc(3_000, 'green ');

describe('Attachments in wrappings', () => {
  let app: TestApp;
  let user: TestUser;
  let box: ArchiveFixture;
  let signed: string;
  let encrypted: string;
  let outlook: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    box = await ArchiveFixture.connect(app, user, 'wrapped-0@sandbox.mailroom.test');
    const file = tnefFile(CODEPAGE_1252, ...attachedFile('green.txt', CONTENT));
    const winmail = emlWithAttachment({
      disposition: 'filename="winmail.dat"',
      mimeType: 'application/ms-tnef',
      content: file,
    });
    [signed = '', encrypted = '', outlook = ''] = await box.insertAndArchive(SIGNED, ENCRYPTED, winmail);
  });
  afterAll(() => app.close());

  const attachmentsOf = async (mailId: string): Promise<any[]> =>
    (await user.api.get(`${box.path}/mails/${mailId}`)).body.attachments;

  it('should be listed, found by name and downloaded, whole and in ranges', async () => {
    const [attachment, ...others] = await attachmentsOf(outlook);
    expect(others).toEqual([]);
    expect(attachment).toMatchObject({ filename: 'green.txt', mime_type: 'text/plain', size_bytes: 3_000 });
    expect(attachment.file_path).toMatch(/#2\.1\/green\.txt$/);
    const download = `${box.path}/attachments/${attachment.id}/download`;
    expect((await user.api.get(download)).bytes.equals(CONTENT)).toBe(true);
    const piece = await user.api.get(download, { headers: { range: 'bytes=6-11' } });
    expect([piece.status, piece.bytes.toString()]).toEqual([206, 'green ']);
    const { body } = await user.api.get(`/api/attachments/${box.accountId}/archived?q=green`);
    expect(body).toMatchObject({ total: 1 });
  });

  it('should belong to their owner only', async () => {
    const [attachment] = await attachmentsOf(outlook);
    const stranger = await app.user('stranger');
    const answer = await stranger.api.get(`${box.path}/attachments/${attachment.id}/download`);
    expect([403, 404]).toContain(answer.status);
  });

  it('should be those of signed content, whose signature is described', async () => {
    const [attachment] = await attachmentsOf(signed);
    expect(attachment).toMatchObject({ filename: 'list.csv', size_bytes: 3 });
    const { bytes } = await user.api.get(`${box.path}/attachments/${attachment.id}/download`);
    expect(bytes.toString()).toBe('a,b');
    const { body } = await user.api.get(`${box.path}/mails/${signed}/safe-html`, {
      headers: { accept: 'application/json' },
    });
    expect(body.html).toContain('The secret plan.');
    expect(body).toMatchObject({
      protection: { encrypted: false, coversMail: true, signatures: [{ state: 'intact', ofSender: true }] },
      invitations: [],
      doubts: [],
    });
    const { body: found } = await user.api.get(`${box.path}/mails?q=secret`);
    expect(found).toMatchObject({ total: 1, mails: [{ id: signed }] });
  });

  it('should not be looked for in an encrypted message, which says so in the language that is asked for', async () => {
    const { body } = await user.api.get(`${box.path}/mails/${encrypted}/safe-html?lang=fr`, {
      headers: { accept: 'application/json' },
    });
    expect(body.protection).toEqual({ encrypted: true, coversMail: true, signatures: [] });
    expect(body.html).toContain('Ce message n’a pas de texte à afficher.');
    const refused = await user.api.get(`${box.path}/mails/${encrypted}/safe-html?lang=de`);
    expect(refused.status).toBe(400);
  });
});
