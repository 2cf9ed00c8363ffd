import type { TestApp } from '../support/app';
import { ArchiveFixture } from '../support/archive/archive-fixture';
import { KeptMailbox } from '../support/archiving/kept-mailbox';
import { BackupFixture } from '../support/backup/backup-fixture';
import { ApiClient } from '../support/api-client';
import { TestUser } from '../support/test-user';

jest.setTimeout(120_000);

const MESSAGES = 12;

describe('A restored backup that does not know the offloads after it', () => {
  let fixture: BackupFixture;
  let restored: TestApp;
  let user: TestUser;
  let box: KeptMailbox;
  let printed: string;
  let emptied: string[];
  let everythingId: string;

  beforeAll(async () => {
    fixture = await BackupFixture.start();
    const source = await fixture.installation();
    const app = await fixture.serve(source);
    const alice = await app.user('alice');
    const archive = await ArchiveFixture.connect(app, alice, `alice-${MESSAGES}@sandbox.mailroom.test`);
    await archive.archive({ query: 'in:anywhere' });
    const policy = { name: 'Old', maxAgeDays: 1 };
    expect((await alice.api.post('/api/retention', policy)).status).toBe(201);
    const everything = { name: 'Everything', maxAgeDays: 1, includeOffloaded: true };
    const created = await alice.api.post('/api/retention', everything);
    everythingId = created.body.id as string;
    await app.dataSource.query(
      `INSERT INTO invitations (user_id, token_hash, expires_at) VALUES ($1, '\\xaa', now() + interval '1 day')`,
      [alice.id],
    );
    const folder = fixture.folder('backup');
    await fixture.succeed(source, 'backup', folder);

    // Offloaded, and the trash of some emptied by the provider.
    const ids = archive.mailbox.ids();
    for (const id of ids.slice(0, 4)) archive.mailbox.changeLabels(id, { add: ['TRASH'], remove: ['INBOX'] });
    emptied = ids.slice(4, 6);
    for (const id of emptied) archive.mailbox.remove(id);
    await app.close();

    const target = await fixture.installation({
      JWT_SECRET: source.JWT_SECRET!,
      ENCRYPTION_KEY: source.ENCRYPTION_KEY!,
    });
    printed = await fixture.succeed(target, 'restore', folder);
    restored = await fixture.serve(target);
    const { body } = await restored.anonymous.post('/api/auth/login', {
      email: alice.email,
      password: alice.password,
    });
    user = new TestUser(
      alice.id,
      alice.email,
      alice.password,
      new ApiClient(restored.url, body.access_token as string),
    );
    box = new KeptMailbox(restored, user, archive.accountId, archive.mailbox);
  });
  afterAll(async () => {
    await restored?.close();
    await fixture?.close();
  });

  const run = async (): Promise<any> => {
    const { status, body } = await user.api.post('/api/retention/run');
    expect(status).toBe(200);
    return body;
  };

  it('should end invitations: one may have been used since', async () => {
    expect(await restored.dataSource.query('SELECT FROM invitations')).toEqual([]);
  });

  it('should tell owners of the mails that are kept', async () => {
    const { body } = await user.api.get('/api/notifications');
    const told = body.notifications.filter(({ data }: any) => data.backupAt !== undefined);
    expect(told).toMatchObject([{ type: 'integrity_alert', data: { keptMails: MESSAGES } }]);
    expect(told[0].body).toContain(`Retention keeps ${MESSAGES} mails of yours`);
  });

  it('should delete nothing by retention before the mailbox has been compared, and say so', async () => {
    expect(printed).toContain(`retention keeps ${MESSAGES} mails until their messages have been seen`);
    const outcome = await run();
    const kept = {
      code: 'restored-from-backup',
      message: expect.stringContaining(`${MESSAGES} mails are kept`),
    };
    expect(outcome).toMatchObject({ totalDeleted: 0, warnings: [kept, kept] });
    expect(outcome.warnings[1].message).toContain('until the policy is saved again');
    expect((await box.rows()).size).toBe(MESSAGES);
  });

  it('should keep what is in the trash or gone once the mailbox has been compared, and delete the rest', async () => {
    await user.api.put(`/api/retention/${everythingId}`, { isActive: false });
    await box.keep({ mode: 'watch' });
    const outcome = await run();
    expect(outcome.totalDeleted).toBe(MESSAGES - 6);
    expect(outcome.warnings[0].message).toContain('6 mails are kept');
    const left = [...(await box.rows()).keys()];
    expect(left).toHaveLength(6);
    expect(left).toEqual(expect.arrayContaining(emptied));
  });

  it('should delete them by a policy that includes offloaded mail', async () => {
    // As if the policy had not been touched since the backup.
    await restored.dataSource.query(
      `UPDATE retention_policies SET is_active = true, updated_at = created_at WHERE id = $1`,
      [everythingId],
    );
    expect(await run()).toMatchObject({ totalDeleted: 6 });
    expect((await box.rows()).size).toBe(0);
  });
});
