import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { checkEverything, hurry, StoredFile } from '../../../support/integrity/integrity-fixture';
import type { TestUser } from '../../../support/test-user';

describe('The integrity check', () => {
  let app: TestApp;
  let admin: TestUser;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    hurry(app);
    admin = await app.user('admin');
  });

  afterAll(() => app?.close());

  it('should show the owner its findings', async () => {
    const archive = await ArchiveFixture.connect(app, await app.user(), 'integrity-0@sandbox.mailroom.test');
    const messages = Array.from({ length: 6 }, (_, number) =>
      eml(`Subject: message ${number}`, 'From: alice@example.com', '', `The text of ${number}.`),
    );
    const mailIds = await archive.insertAndArchive(...messages);
    const damaged = await Promise.all(mailIds.slice(0, 4).map((id) => StoredFile.of(archive, id)));
    await damaged[0]!.remove();
    await damaged[1]!.alter();
    await damaged[2]!.truncate();
    await damaged[3]!.extend();
    const job = await checkEverything(admin);
    expect(job).toMatchObject({ status: 'completed', result: { missing: 1, altered: 3 } });

    const path = `/api/archive/${archive.accountId}/integrity`;
    const { status, body } = await archive.user.api.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 6, checkedThisWeek: 6, damagedCount: 4 });
    expect(Math.abs(Date.parse(body.lastCheckedAt) - Date.now())).toBeLessThan(60_000);
    expect(new Map(body.damaged.map(({ mailId, kind }: any) => [mailId, kind]))).toEqual(
      new Map(damaged.map(({ mailId }, place) => [mailId, place === 0 ? 'missing' : 'altered'])),
    );
    expect(body.damaged[0]).toMatchObject({ subject: expect.stringMatching(/^message \d$/) });
    expect((await admin.api.get(path)).body).toMatchObject({ status: 403, code: 'account-not-owned' });
    expect((await app.anonymous.get(path)).status).toBe(401);
  });

  it('should require an administrator', async () => {
    const path = '/api/admin/integrity/check';
    const user = await app.user();
    expect((await app.anonymous.post(path)).status).toBe(401);
    const refused = await user.api.post(path);
    expect([refused.status, refused.body.code]).toEqual([403, 'admin-required']);
  });
});
