import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { TestApp } from '../../../support/app';
import type { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { zipOf } from '../../../support/archive/built-archives';
import { fileTime, msgFile, TAG } from '../../../support/archive/outlook/msg-files';
import { SAMPLE } from '../../../support/archive/outlook/pst-files';
import { unzip } from '../../../support/archive/exports';
import { ImportWorld } from '../../../support/import-world';
import { importMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';

const LETTER = msgFile({
  values: [
    [TAG.messageClass, 'IPM.Note'],
    [TAG.subject, 'Saved in Outlook'],
    [TAG.sentRepresentingName, 'Bob Example'],
    [TAG.sentRepresentingEmail, 'bob@example.com'],
    [TAG.clientSubmitTime, fileTime('2024-02-29T12:34:56Z')],
    [TAG.messageFlags, 0],
    [TAG.body, 'The letter'],
  ],
  recipients: [
    [
      [TAG.recipientType, 1],
      [TAG.displayName, 'Alice'],
      [TAG.smtpAddress, 'alice@example.com'],
    ],
  ],
  attachments: [
    {
      values: [
        [TAG.attachLongFilename, 'note.txt'],
        [TAG.attachData, Buffer.from('attached')],
      ],
    },
  ],
});
const CONTACT = msgFile({
  values: [
    [TAG.messageClass, 'IPM.Contact'],
    [TAG.subject, 'Alice'],
  ],
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('The import of Outlook files', () => {
  let app: TestApp;
  let user: TestUser;
  let world: ImportWorld;

  beforeAll(async () => {
    world = await ImportWorld.start('outlook');
    ({ app, user } = world);
  });

  afterAll(() => app?.close());

  const account = (): Promise<ArchiveFixture> => world.connect();
  const mailsOf = async ({ accountId }: ArchiveFixture): Promise<any[]> => {
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100`);
    return body.mails as any[];
  };

  it('should import a saved message and mark it as rebuilt', async () => {
    const sut = await account();
    const job = await importMbox(user, sut.accountId, LETTER);
    expect(job).toMatchObject({
      status: 'completed',
      result: { items: 1, imported: 1, formats: { msg: 1 } },
    });
    const [{ id }] = await mailsOf(sut);
    const { body } = await user.api.get(`/api/archive/${sut.accountId}/mails/${id}`);
    expect(body).toMatchObject({
      subject: 'Saved in Outlook',
      sender: 'Bob Example <bob@example.com>',
      date: '2024-02-29T12:34:56.000Z',
      label_ids: ['UNREAD'],
      rebuilt_from: { format: 'msg', source_sha256: sha256(LETTER), item_id: null },
      attachments: [{ filename: 'note.txt' }],
    });
    const again = await importMbox(user, sut.accountId, LETTER);
    expect(again.result).toMatchObject({ imported: 0, duplicates: 1 });
  });

  it('should import a PST with its folders, and nothing twice', async () => {
    const sut = await account();
    const file = await readFile(SAMPLE.pst);
    const job = await importMbox(user, sut.accountId, file);
    expect(job).toMatchObject({ status: 'completed', total: 71, processed: 71 });
    const { items, imported, duplicates, failed } = job.result;
    expect([items, failed, imported + duplicates]).toEqual([71, 0, 71]);
    const mails = await mailsOf(sut);
    expect(mails).toHaveLength(imported);
    expect(new Set(mails.flatMap(({ label_ids }) => label_ids as string[]))).toContain(
      'lokay-m/MLOKAY (Non-Privileged)/Systems',
    );
    const { body } = await user.api.get(`/api/archive/${sut.accountId}/mails/${mails[0].id}`);
    expect(body.rebuilt_from).toEqual({
      format: 'pst',
      source_sha256: sha256(file),
      item_id: expect.stringMatching(/^\d+$/),
    });
    const again = await importMbox(user, sut.accountId, file);
    expect(again.result).toMatchObject({ imported: 0, duplicates: 71 });
  });

  it('should read Outlook files in a ZIP, and count what is no mail', async () => {
    const sut = await account();
    const zip = await zipOf({
      'mail/letter.msg': LETTER,
      'mail/alice.msg': CONTACT,
      'old/box.ost': await readFile(SAMPLE.ost),
    });
    const job = await importMbox(user, sut.accountId, zip);
    expect(job.status).toBe('completed');
    expect(job.result).toMatchObject({
      items: 185,
      imported: 15,
      duplicates: 0,
      failed: 0,
      leftOut: { contact: 1, calendar: 169 },
    });
    const labels = new Set((await mailsOf(sut)).flatMap(({ label_ids }) => label_ids as string[]));
    expect([...labels]).toEqual(expect.arrayContaining(['mail', 'INBOX', 'SENT', 'TRASH']));
  });

  it('should name the items of a damaged file that cannot be read', async () => {
    const sut = await account();
    const file = await readFile(SAMPLE.pst);
    file.fill(0, 6_000_000, 6_400_000);
    const { status, result } = await importMbox(user, sut.accountId, file);
    expect(status).toBe('completed');
    expect(result.imported + result.duplicates + result.failed).toBe(result.items);
    expect(result.items).toBeGreaterThanOrEqual(71);
  });

  it('should refuse a file of which only the beginning is there', async () => {
    const sut = await account();
    const job = await importMbox(user, sut.accountId, (await readFile(SAMPLE.pst)).subarray(0, 1_000_000));
    expect(job).toMatchObject({ status: 'failed', error_code: 'outlook-file-unreadable' });
  });

  it('should say in the manifest of an export that a mail was rebuilt', async () => {
    const sut = await account();
    await importMbox(user, sut.accountId, LETTER);
    const [{ id }] = await mailsOf(sut);
    const { bytes } = await user.api.post(`${sut.path}/export-zip`, { mailIds: [id] });
    const manifest = JSON.parse((await unzip(bytes)).entries.get('manifest.json')!.toString());
    expect(manifest.mails).toMatchObject([
      { intact: true, rebuilt_from: { format: 'msg', source_sha256: sha256(LETTER), item_id: null } },
    ]);
  });
});
