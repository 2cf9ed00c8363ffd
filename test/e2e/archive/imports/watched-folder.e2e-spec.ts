import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { PlacedImportsService } from '../../../../src/archive/imports/in-place/placed-imports.service';
import { WatchedFolderService } from '../../../../src/archive/imports/watched/watched-folder.service';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { zipOf } from '../../../support/archive/built-archives';
import { inMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';

const SETTLE_MS = 1_000;
const mail = (subject: string): string =>
  `From: a@example.com\nSubject: ${subject}\nMessage-ID: <${subject.replace(/\W/g, '-')}@example.com>\nDate: Tue, 19 Mar 2019 09:13:51 +0000\n\nText of ${subject}\n`;
const mbox = (...subjects: string[]): string => subjects.map((subject) => inMbox(mail(subject))).join('');
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

describe('The watched folder', () => {
  let app: TestApp;
  let user: TestUser;
  let root: string;
  let sut: WatchedFolderService;
  let fixture: ArchiveFixture;
  let email: string;
  let accounts = 0;
  const { signal } = new AbortController();

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-watched-')));
    app = await startTestApp({
      sandbox: { messages: 1 },
      env: { IMPORT_WATCH_DIR: root, IMPORT_WATCH_SETTLE_SECONDS: String(SETTLE_MS / 1_000) },
    });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });
  afterAll(async () => {
    await app?.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** A service as in another process, which has observed nothing yet. */
  const another = (): WatchedFolderService =>
    new WatchedFolderService(app.app.get(PlacedImportsService), app.app.get(AppConfig));

  beforeEach(async () => {
    email = `watched${(accounts += 1)}-0@sandbox.mailroom.test`;
    fixture = await ArchiveFixture.connect(app, user, email);
    sut = another();
  });
  afterEach(() => {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  });

  const put = (name: string, content: string | Buffer, folder = fixture.accountId): string => {
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  /** Looks twice, with the time between that a file has to rest. */
  const sweep = async (by = sut): Promise<number> => {
    const first = await by.sweep(signal);
    await wait(SETTLE_MS + 100);
    return first + (await by.sweep(signal));
  };
  const jobs = async (): Promise<any[]> =>
    (await user.api.get(`/api/jobs?accountId=${fixture.accountId}`)).body;
  /** Waits for the end of all imports of the account, and has their files moved. */
  const end = async (): Promise<any[]> => {
    for (const job of await jobs()) await user.jobEnd(job.queue_id as string);
    await sut.sweep(signal);
    return jobs();
  };
  const subjects = async (): Promise<string[]> =>
    [...(await fixture.rows()).values()].map((row) => row.subject as string).sort();
  const files = (): string[] =>
    (readdirSync(join(root, fixture.accountId), { recursive: true, withFileTypes: true }) as any[])
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, fixture.accountId).length + 1))
      .sort();

  it('should import a file that stays as it is, once, and move it', async () => {
    put('old.mbox', mbox('one', 'two'));
    expect(await sut.sweep(signal)).toBe(0);
    expect(await jobs()).toEqual([]);
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    const [job, ...others] = await end();
    expect(others).toEqual([]);
    expect([job.status, job.result.imported]).toEqual(['completed', 2]);
    expect(await subjects()).toEqual(['one', 'two']);
    expect(files()).toEqual([`done/${job.queue_id}/old.mbox`]);
    expect(await sweep()).toBe(0);
  });

  it('should take the address of the mailbox for a name, in any case, but not the name of an archive', async () => {
    put('by-address.mbox', mbox('by address'), email.toUpperCase());
    await user.api.post('/api/auth/mailbox/archives', { name: 'victim@example.com' });
    put('stolen.mbox', mbox('stolen'), 'victim@example.com');
    expect(await sweep()).toBe(1);
    await end();
    expect(await subjects()).toEqual(['by address']);
    expect(existsSync(join(root, 'victim@example.com/stolen.mbox'))).toBe(true);
  });

  it('should import folders and archives, one after the other', async () => {
    put('a-maildir/cur/1.host:2,S', mail('in maildir'));
    put('a-maildir/new/2.host', mail('new in maildir'));
    put('b.zip', await zipOf({ 'Work/1.eml': mail('in zip') }));
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    await end();
    expect(await sweep()).toBe(1);
    const ended = await end();
    expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(await subjects()).toEqual(['in maildir', 'in zip', 'new in maildir']);
    expect(files()).toHaveLength(3);
    expect(files().every((name) => name.startsWith('done/'))).toBe(true);
  });

  it('should wait for files that are being written', async () => {
    put('later.mbox.part', mbox('part'));
    put('.hidden.mbox', mbox('hidden'));
    put('folder/1.eml', mail('in folder'));
    put('folder/2.eml.tmp', 'From: half');
    const growing = put('growing.mbox', mbox('grows'));
    await sut.sweep(signal);
    await wait(SETTLE_MS + 100);
    writeFileSync(growing, mbox('grows', 'and grows'));
    expect(await sut.sweep(signal)).toBe(0);
    await wait(SETTLE_MS + 100);
    // The time of change may be set back; that of the inode may not.
    utimesSync(growing, new Date(2020, 1, 1), new Date(2020, 1, 1));
    expect(await sut.sweep(signal)).toBe(0);
    const handle = openSync(growing, 'a');
    try {
      expect(await sweep()).toBe(0);
    } finally {
      closeSync(handle);
    }
    expect(await jobs()).toEqual([]);
    expect(await sweep()).toBe(1);
    await end();
    expect(await subjects()).toEqual(['and grows', 'grows']);
    expect(files().filter((name) => !name.startsWith('done/'))).toEqual([
      '.hidden.mbox',
      'folder/1.eml',
      'folder/2.eml.tmp',
      'later.mbox.part',
    ]);
  });

  it('should move what failed, with the reason, and name what could not be read of the rest', async () => {
    put('a.pdf', '%PDF-1.7');
    expect(await sweep()).toBe(1);
    const [failed] = await end();
    put('b/1.eml', mail('readable'));
    put('b/2.rar', 'Rar!\x1a\x07\x00');
    expect(await sweep()).toBe(1);
    const [partly] = await end();
    expect(files()).toEqual([
      `done/${partly.queue_id}/b/1.eml`,
      `done/${partly.queue_id}/b/2.rar`,
      `done/${partly.queue_id}/report.txt`,
      `failed/${failed.queue_id}/a.pdf`,
      `failed/${failed.queue_id}/why.txt`,
    ]);
    const read = (name: string): string => readFileSync(join(root, fixture.accountId, name), 'utf8');
    expect(read(`failed/${failed.queue_id}/why.txt`)).toMatch(/Reason: .*PDF.*\(not-an-mbox-file\)/);
    expect(read(`done/${partly.queue_id}/report.txt`)).toMatch(/failed: 1\n[^]*b\/2\.rar: /);
    const { body } = await user.api.get('/api/notifications');
    expect(JSON.stringify(body)).toContain(failed.queue_id);
  });

  it('should overwrite nothing when names are the same', async () => {
    for (const subject of ['first', 'second']) {
      put('mail.mbox', mbox(subject));
      expect(await sweep()).toBe(1);
      await end();
    }
    expect(await subjects()).toEqual(['first', 'second']);
    expect(files().map((name) => name.split('/').at(-1))).toEqual(['mail.mbox', 'mail.mbox']);
  });

  it('should import a file again that was replaced after its import had ended', async () => {
    const path = put('mail.mbox', mbox('before'));
    expect(await sweep()).toBe(1);
    const [job] = await jobs();
    await user.jobEnd(job.queue_id as string);
    writeFileSync(path, mbox('after'));
    expect(await sweep()).toBe(1);
    await end();
    expect(await subjects()).toEqual(['after', 'before']);
  });

  it('should finish a move that a kill cut short', async () => {
    put('mail.mbox', mbox('moved'));
    expect(await sweep()).toBe(1);
    await end();
    const moved = files();
    // The file is moved already, and the row does not know.
    await app.dataSource.query(
      `UPDATE import_places SET settled_as = NULL, path = $2 WHERE account_id = $1`,
      [fixture.accountId, join(root, fixture.accountId, 'mail.mbox')],
    );
    expect(await sweep(another())).toBe(0);
    expect(files()).toEqual(moved);
    const [row] = await app.dataSource.query(
      'SELECT settled_as, path FROM import_places WHERE account_id = $1',
      [fixture.accountId],
    );
    expect(row).toEqual({ settled_as: 'done', path: join(root, fixture.accountId, moved[0]!) });
    expect(await jobs()).toHaveLength(1);
  });

  it('should start one job for a file that several processes look at', async () => {
    put('mail.mbox', mbox('once'));
    const processes = [another(), another(), another()];
    await Promise.all(processes.map((one) => one.sweep(signal)));
    await wait(SETTLE_MS + 100);
    const started = await Promise.all(processes.map((one) => one.sweep(signal)));
    expect(started.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await end()).toHaveLength(1);
    await Promise.all(processes.map((one) => one.sweep(signal)));
    expect(files()).toHaveLength(1);
  });

  it('should move a failed import to the others once it is taken up again', async () => {
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = 10 WHERE id = $1', [user.id]);
    put('mail.mbox', mbox('too large'));
    expect(await sweep()).toBe(1);
    const [job] = await end();
    expect(job.error_code).toBe('quota-exceeded');
    expect(files()).toEqual([`failed/${job.queue_id}/mail.mbox`, `failed/${job.queue_id}/why.txt`]);
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = 1000000000 WHERE id = $1', [user.id]);
    expect((await user.api.post(`/api/jobs/${job.queue_id}/resume`, {})).status).toBe(202);
    const [again] = await end();
    expect(again.status).toBe('completed');
    expect(files()).toEqual([`done/${job.queue_id}/mail.mbox`, `failed/${job.queue_id}/why.txt`]);
    expect(await subjects()).toEqual(['too large']);
  });

  it('should follow no link out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'mailroom-outside-'));
    writeFileSync(join(outside, 'secret.mbox'), mbox('secret'));
    put('folder/1.eml', mail('inside'));
    symlinkSync(join(outside, 'secret.mbox'), join(root, fixture.accountId, 'a-link.mbox'));
    symlinkSync(outside, join(root, fixture.accountId, 'b-link'));
    symlinkSync(outside, join(root, fixture.accountId, 'folder/c-link'));
    symlinkSync(outside, join(root, fixture.accountId, 'done'));
    const other = await ArchiveFixture.connect(
      app,
      user,
      `watched${(accounts += 1)}-0@sandbox.mailroom.test`,
    );
    symlinkSync(outside, join(root, other.accountId));
    expect(await sweep()).toBe(1);
    const [job] = await end();
    expect([job.result.imported, job.result.leftOut]).toEqual([1, { linkOrDevice: 1 }]);
    expect(await subjects()).toEqual(['inside']);
    // It is not moved through the link, and not imported again.
    expect(readdirSync(outside)).toEqual(['secret.mbox']);
    expect(await sweep()).toBe(0);
    rmSync(join(root, fixture.accountId, 'done'));
    await sut.sweep(signal);
    expect(files()).toContain(`done/${job.queue_id}/folder/1.eml`);
    rmSync(outside, { recursive: true });
  });

  it('should report a folder that means no account once, without its address', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      put('1.eml', mail('lost'), 'nobody@example.com');
      put('1.eml', mail('lost'), 'typo');
      for (let round = 0; round < 3; round += 1) await sut.sweep(signal);
      const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('means'));
      expect(lines).toEqual([
        expect.stringMatching(/an address of 18 characters means no account/),
        expect.stringMatching(/typo means no account/),
      ]);
    } finally {
      warn.mockRestore();
    }
    expect(existsSync(join(root, 'typo/1.eml'))).toBe(true);
  });

  it('should do nothing without the folder', async () => {
    const config = app.app.get(AppConfig);
    const without = (watchDir: string | null): WatchedFolderService =>
      new WatchedFolderService(
        app.app.get(PlacedImportsService),
        config.with({ storage: { ...config.storage, watchDir } }),
      );
    expect(await without(null).sweep(signal)).toBe(0);
    expect(await without(join(root, 'none')).sweep(signal)).toBe(0);
  });
});
