import { PreparedExportsService } from '../../../../src/archive/export/prepared/prepared-exports.service';
import { PASSPHRASE_HEADER } from '../../../../src/archive/passphrases/passphrase-header';
import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { parseMbox, unzip } from '../../../support/archive/exports';
import { encryptMails, PASSPHRASE, setUpPassphrase } from '../../../support/encryption/encrypted-mail';
import type { TestUser } from '../../../support/test-user';

const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

describe('Prepared exports', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let ids: string[];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await setUpPassphrase(user);
    sut = await ArchiveFixture.connect(app, user, 'prepared-0@sandbox.mailroom.test');
    ids = await sut.insertAndArchive(
      ...['invoice one', 'invoice two', 'holiday', 'secret'].map((subject) =>
        eml(`Subject: ${subject}`, `Message-ID: <${subject.replace(' ', '-')}@x.test>`, '', 'text'),
      ),
    );
    await encryptMails(sut, [ids[3]!]);
  });

  afterAll(() => app?.close());

  const prepare = (body: object, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
    user.api.post(`${sut.path}/exports`, body, { headers });
  const gist = ({ status, body }: ApiAnswer): unknown[] => [status, body.code];
  const stored = (): Promise<any[]> =>
    app.dataSource.query('SELECT * FROM prepared_exports ORDER BY created_at');
  const emls = async (bytes: Buffer): Promise<number> => (await unzip(bytes)).entries.size - 1;

  it('should be downloaded from its address, with a token or a cookie, any number of times', async () => {
    const { status, body } = await prepare({ format: 'zip', mailIds: ids.slice(0, 2) });
    const rows = await sut.rows();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String) as string,
      url: `${sut.path}/exports/${body.id as string}`,
      filename: expect.stringMatching(/^archive-export-[\d-]{10}\.zip$/) as string,
      mails: 2,
      bytes: ids
        .slice(0, 2)
        .map((id) => [...rows.values()].find((row) => row.id === id))
        .reduce((sum, row) => sum + Number(row.size_bytes), 0),
      expires_at: expect.any(String) as string,
    });
    const cookie = `mailroom_access=${user.api.token}`;
    for (const download of [
      await user.api.get(body.url as string),
      await app.anonymous.get(body.url as string, { headers: { cookie } }),
    ]) {
      expect(download.status).toBe(200);
      expect(download.headers.get('content-type')).toBe('application/zip');
      expect(download.headers.get('content-disposition')).toBe(
        `attachment; filename="${body.filename as string}"`,
      );
      expect(download.headers.get('cache-control')).toBe('private, no-store');
      expect(await emls(download.bytes)).toBe(2);
    }
  });

  it('should contain what a filter matched when it was prepared', async () => {
    const zip = await prepare({ format: 'zip', filter: { q: 'invoice' }, compress: true });
    const mbox = await prepare({ format: 'mbox', filter: { q: 'invoice' } });
    await sut.insertAndArchive(eml('Subject: invoice three', 'Message-ID: <late@x.test>', '', 'text'));
    expect([zip.body.mails, mbox.body.mails]).toEqual([2, 2]);
    const { entries, methods } = await unzip((await user.api.get(zip.body.url as string)).bytes);
    expect([entries.size - 1, methods]).toEqual([2, new Set([8])]);
    const download = await user.api.get(mbox.body.url as string);
    expect(download.headers.get('content-type')).toBe('application/mbox');
    expect(parseMbox(download.bytes)).toHaveLength(2);
  });

  it('should contain everything in an mbox file for an empty filter', async () => {
    const { body } = await prepare({ format: 'mbox', filter: {} }, { [PASSPHRASE_HEADER]: PASSPHRASE });
    expect(body.mails).toBe((await sut.rows()).size);
    expect((await stored()).at(-1)).toMatchObject({ mail_ids: null });
    expect(parseMbox((await user.api.get(body.url as string)).bytes)).toHaveLength(body.mails as number);
  });

  it('should check the passphrase first, and keep it sealed', async () => {
    const request = { format: 'zip', mailIds: ids };
    expect(gist(await prepare(request))).toEqual([409, 'mails-encrypted']);
    expect(gist(await prepare(request, { [PASSPHRASE_HEADER]: 'another passphrase' }))).toEqual([
      403,
      'passphrase-invalid',
    ]);
    const { body } = await prepare(request, { [PASSPHRASE_HEADER]: PASSPHRASE });
    const row = (await stored()).at(-1);
    expect(row.sealed_passphrase).toMatch(/^v1\./);
    expect(JSON.stringify([row, body])).not.toContain(PASSPHRASE);
    const { entries } = await unzip((await user.api.get(body.url as string)).bytes);
    const manifest = JSON.parse(entries.get('manifest.json')!.toString());
    expect([manifest.mails.length, manifest.left_out]).toEqual([4, []]);

    await prepare({ format: 'zip', mailIds: ids.slice(0, 1) }, { [PASSPHRASE_HEADER]: PASSPHRASE });
    expect((await stored()).at(-1)).toMatchObject({ sealed_passphrase: null });
  });

  it('should be deleted when it has expired, with its passphrase', async () => {
    const { body } = await prepare({ format: 'zip', mailIds: ids }, { [PASSPHRASE_HEADER]: PASSPHRASE });
    const ahead = new Date(body.expires_at as string).getTime() - Date.now();
    expect(ahead).toBeGreaterThan(9 * 60_000);
    expect(ahead).toBeLessThanOrEqual(10 * 60_000);
    await app.dataSource.query('UPDATE prepared_exports SET expires_at = now() WHERE id = $1', [body.id]);
    expect(gist(await user.api.get(body.url as string))).toEqual([404, 'export-not-found']);
    expect(await app.app.get(PreparedExportsService).deleteExpired()).toBe(1);
    expect((await stored()).map(({ id }) => id as string)).not.toContain(body.id);
  });

  it('should be limited to five per user', async () => {
    const prepared: string[] = [];
    for (let number = 0; number < 6; number += 1)
      prepared.push((await prepare({ format: 'zip', mailIds: ids.slice(0, 1) })).body.url as string);
    const statuses = await Promise.all(prepared.map(async (url) => (await user.api.get(url)).status));
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200]);
  });

  it('should have to be prepared again when one of its mails was deleted', async () => {
    const [id] = await sut.insertAndArchive(eml('Subject: short', 'Message-ID: <short@x.test>', '', 'text'));
    const { body } = await prepare({ format: 'zip', mailIds: [ids[0], id] });
    const deletion = await user.api.post(`${sut.path}/delete`, { mailIds: [id], confirmedCount: 1 });
    await user.jobEnd(deletion.body.jobId as string);
    expect(gist(await user.api.get(body.url as string))).toEqual([404, 'mail-not-found']);
  });

  it.each([
    [{ mailIds: [UNKNOWN] }, 'format'],
    [{ format: 'pdf', mailIds: [UNKNOWN] }, 'format'],
    [{ format: 'zip' }, 'mailIds'],
    [{ format: 'zip', mailIds: [UNKNOWN], filter: {} }, 'mailIds'],
    [{ format: 'zip', filter: { to_date: 'never' } }, 'to_date'],
    [{ format: 'zip', filter: {}, compress: 'yes' }, 'compress'],
  ])('should refuse %j', async (request, field) => {
    const { status, body } = await prepare(request);
    expect([status, body.errors]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ field })]),
    ]);
  });

  it('should be private to its user', async () => {
    expect(gist(await prepare({ format: 'zip', mailIds: [UNKNOWN] }))).toEqual([404, 'mail-not-found']);
    const { body } = await prepare({ format: 'zip', mailIds: ids.slice(0, 1) });
    const stranger = await app.user();
    const own = await stranger.connect('prepared-stranger-0@sandbox.mailroom.test');
    expect(gist(await stranger.api.get(body.url as string))).toEqual([403, 'account-not-owned']);
    const moved = `/api/archive/${own}/exports/${body.id as string}`;
    expect(gist(await stranger.api.get(moved))).toEqual([404, 'export-not-found']);
    expect(gist(await app.anonymous.get(body.url as string))).toEqual([401, 'unauthorized']);
  });
});
