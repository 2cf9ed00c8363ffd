import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEFT_OUT } from '../../../../src/operations/backup/dumped-tables';
import type { TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import { BackupFixture, withDatabase } from '../../../support/backup/backup-fixture';
import { ApiClient } from '../../../support/api-client';
import { TestUser } from '../../../support/test-user';

jest.setTimeout(120_000);

const MESSAGES = 12;

describe('A restored backup from before the latest offloads', () => {
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

  it('should end invitations, since one may have been used', async () => {
    expect(await restored.dataSource.query('SELECT FROM invitations')).toEqual([]);
  });

  it('should notify owners of the mails that are kept', async () => {
    const { body } = await user.api.get('/api/notifications');
    const told = body.notifications.filter(({ data }: any) => data.backupAt !== undefined);
    expect(told).toMatchObject([{ type: 'integrity_alert', data: { keptMails: MESSAGES } }]);
    expect(told[0].body).toContain(`Retention keeps ${MESSAGES} mails of yours`);
  });

  it('should delete nothing by retention before the mailbox has been compared, and report it', async () => {
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

  it('should keep mails whose messages are trashed or gone once the mailbox has been compared, and delete the rest', async () => {
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

const LINKS = ['invitations', 'password_resets'];

describe('A restored backup of an earlier version, with links that set passwords', () => {
  let fixture: BackupFixture;
  let target: Readonly<Record<string, string>>;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    fixture = await BackupFixture.start();
    const source = await fixture.installation();
    const app = await fixture.serve(source);
    for (const name of ['admin', 'alice', 'bob']) {
      const user = await app.user(name);
      ids[name] = user.id;
      if (name === 'admin') continue;
      const archive = await ArchiveFixture.connect(app, user, `${name}-${MESSAGES}@sandbox.mailroom.test`);
      await archive.archive({ query: 'in:anywhere' });
      if (name === 'bob') await user.api.put('/api/notifications/preferences', { integrity_alert: false });
    }
    await app.dataSource.query(
      `INSERT INTO invitations (user_id, token_hash, expires_at) VALUES ($1, '\\xaa', now() + interval '1 day')`,
      [ids.alice],
    );
    await app.dataSource.query(
      `INSERT INTO password_resets (user_id, token_hash, password_seen, expires_at)
       VALUES ($1, '\\xbb', '\\xcc', now() + interval '1 day')`,
      [ids.alice],
    );
    const folder = fixture.folder('backup');
    const reasons = LEFT_OUT as Record<string, string>;
    const now = { ...reasons };
    for (const table of LINKS) delete reasons[table];
    try {
      await fixture.succeed(source, 'backup', folder);
    } finally {
      Object.assign(reasons, now);
    }
    const { database } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const dumped = database.tables.filter(({ table }: any) => LINKS.includes(table));
    expect(dumped.map(({ rows }: any) => rows)).toEqual([1, 1]);
    await app.close();
    target = await fixture.installation({
      JWT_SECRET: source.JWT_SECRET!,
      ENCRYPTION_KEY: source.ENCRYPTION_KEY!,
    });
    await fixture.succeed(target, 'restore', folder);
  });
  afterAll(() => fixture?.close());

  const rows = (sql: string): Promise<any[]> =>
    withDatabase(target.DATABASE_URL!, async (client) => (await client.query(sql)).rows);

  it.each(LINKS)('should end its %s, since one may have been used or replaced', async (table) => {
    expect(await rows(`SELECT FROM ${table}`)).toEqual([]);
  });

  it('should notify administrators of the number of kept mails of all users, whatever their preferences', async () => {
    const told = await rows(`SELECT user_id, data, body FROM notifications WHERE data ? 'backupAt'`);
    expect(Object.fromEntries(told.map(({ user_id, data }) => [user_id, data]))).toEqual({
      [ids.admin!]: { backupAt: expect.any(String), keptMails: 0, keptOfAll: 2 * MESSAGES },
      [ids.alice!]: { backupAt: expect.any(String), keptMails: MESSAGES },
    });
    const { body } = told.find(({ user_id }) => user_id === ids.admin);
    expect(body).toContain(`Of all users: ${2 * MESSAGES} mails.`);
  });
});
