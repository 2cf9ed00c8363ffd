import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { CLEAR, MAILS } from '../../../support/pii/mails-with-pii';
import type { TestUser } from '../../../support/test-user';

describe('Personal data in the archive', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'pii-1@sandbox.mailroom.test');
    await sut.insertAndArchive(...MAILS);
  });

  afterAll(() => app?.close());

  const path = (suffix = ''): string => `/api/privacy/${sut.accountId}/pii${suffix}`;

  async function scan(): Promise<any> {
    const { status, body } = await user.api.post(path('/scan'));
    expect(status).toBe(202);
    expect(body).toEqual({ jobId: expect.stringMatching(/^scan_pii-\d+$/), message: expect.any(String) });
    return user.jobEnd(body.jobId as string);
  }

  it('should have no findings before the first scan', async () => {
    const { status, body } = await user.api.get(path('/stats'));
    expect(status).toBe(200);
    expect(body).toEqual({
      totalFindings: 0,
      affectedMails: 0,
      byType: ['credit_card', 'iban', 'french_ssn', 'password_plain', 'phone_fr'].map((type) => ({
        type,
        count: 0,
      })),
    });
    expect((await user.api.get(path())).body).toEqual({ items: [], total: 0, page: 1, limit: 50 });
  });

  it.each(['piiType=passport', 'piiType=', 'page=0', 'limit=0', 'page=x'])(
    'should refuse ?%s',
    async (query) => {
      const { status, body } = await user.api.get(path(`?${query}`));
      expect(status).toBe(400);
      expect(body).toMatchObject({ status: 400, errors: [{ field: query.split('=')[0] }] });
    },
  );

  it.each([
    ['GET', '/stats'],
    ['GET', ''],
    ['POST', '/scan'],
  ])('should return %s pii%s to the owner only', async (method, suffix) => {
    const stranger = await app.user();
    expect((await app.anonymous.fetch(method, path(suffix))).status).toBe(401);
    const foreign = await stranger.api.fetch(method, path(suffix));
    expect([foreign.status, ((await foreign.json()) as any).code]).toEqual([403, 'account-not-owned']);
    expect((await user.api.fetch(method, path(suffix).replace(sut.accountId, 'x'))).status).toBe(400);
  });

  /** Apart from the archive's own rows, which have the subject and the words of the mail. */
  it('should not store values anywhere', async () => {
    expect((await scan()).result).toMatchObject({ scanned: 4, findings: 7, affectedMails: 2 });
    expect((await user.api.get(path())).body).toMatchObject({ total: 6, page: 1, limit: 50 });
    const tables: { name: string }[] = await app.dataSource.query(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'
        AND tablename NOT IN ('archived_mails', 'archived_mail_words', 'mailbox_messages', 'archived_threads', 'archived_attachments')`,
    );
    expect(tables.map(({ name }) => name)).toContain('pii_findings');
    for (const { name } of tables) {
      const rows: { row: string }[] = await app.dataSource.query(`SELECT t::text AS row FROM ${name} t`);
      for (const { row } of rows) expect(CLEAR.filter((value) => row.includes(value))).toEqual([]);
    }
    const { bytes } = await user.api.get('/api/jobs');
    expect(CLEAR.filter((value) => bytes.toString().includes(value))).toEqual([]);
  });

  it('should work for a disconnected account', async () => {
    expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}`)).status).toBe(204);
    expect((await scan()).result.findings).toBe(7);
    expect((await user.api.get(path('/stats'))).body.totalFindings).toBe(7);
  });
});
