import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ImportUploadsService } from '../../../../src/archive/imports/import-uploads.service';
import { PlacedImportsService } from '../../../../src/archive/imports/in-place/placed-imports.service';
import { readPlacedState } from '../../../../src/archive/imports/in-place/placed-state';
import { importPath } from '../../../../src/operations/cli/import-command';
import { JobReader } from '../../../../src/platform/jobs/job-reader';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { zipOf } from '../../../support/archive/built-archives';
import { SAMPLE } from '../../../support/archive/outlook/pst-files';
import { inMbox } from '../../../support/imports';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';
import { withoutRoot } from '../../../support/unprivileged';

const CLI = join(__dirname, '../../../../dist/src/cli/main.js');

const mail = (subject: string, text = 'Text'): string =>
  `From: a@example.com\nSubject: ${subject}\nMessage-ID: <${subject.replace(/\W/g, '-')}@example.com>\nDate: Tue, 19 Mar 2019 09:13:51 +0000\n\n${text} of ${subject}\n`;
const mbox = (...subjects: string[]): string => subjects.map((subject) => inMbox(mail(subject))).join('');
/** More than one batch. */
const manyMails = (name: string, count: number): string =>
  Array.from({ length: count }, (_, number) => inMbox(mail(`${name} ${number}`, 'x'.repeat(20_000)))).join(
    '',
  );

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// A process takes seconds to start on a busy machine.
jest.setTimeout(120_000);

describe('An import of a file or folder where it lies', () => {
  let app: TestApp;
  let user: TestUser;
  let gate: StatementGate;
  let root: string;
  let accounts = 0;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    gate = new StatementGate(app.dataSource);
  });
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'mailroom-in-place-')));
  });
  afterEach(async () => {
    await gate.open({ drop: true });
    rmSync(root, { recursive: true, force: true });
  });
  afterAll(() => app?.close());

  const account = (): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `inplace${(accounts += 1)}-0@sandbox.mailroom.test`);
  const put = (name: string, content: string): string => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const subjects = async (fixture: ArchiveFixture): Promise<string[]> =>
    [...(await fixture.rows()).values()].map((row) => row.subject as string).sort();
  /** Runs the built command line, as operators do. */
  const run = (...args: string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, ...app.env };
      execFile(process.execPath, [CLI, 'import', ...args], { env }, (error, output, errors) => {
        if (error && typeof error.code !== 'number') reject(new Error('It did not exit', { cause: error }));
        else resolve({ code: Number(error?.code ?? 0), output, errors });
      });
    });
  const services = () => ({
    imports: app.app.get(PlacedImportsService),
    jobs: app.app.get(JobsService),
    reader: app.app.get(JobReader),
  });
  /** The same in this process, with what it prints. */
  /** Makes the next import wait once it has recorded a batch. */
  const stopAfterFirstBatch = (): Promise<void> =>
    gate.close('jobs', 'UPDATE', `NEW.type = 'import_mbox' AND NEW.processed > 0 AND OLD.processed = 0`);

  const follow = async (
    path: string,
    accountId: string,
    interrupted = new AbortController().signal,
  ): Promise<string[]> => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    await importPath(path, accountId, services(), print, interrupted).catch((error: Error) =>
      lines.push(`! ${error.message}`),
    );
    return lines;
  };

  it('should import a file, say the sum, leave the file, and double nothing when repeated', async () => {
    const sut = await account();
    const path = put('mail.mbox', mbox('one', 'two'));
    const first = await run(path, '--account', sut.accountId);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.output).toContain('2 items = 2 imported + 0 there already + 0 left out + 0 failed');
    const [{ email }] = await app.dataSource.query('SELECT email FROM mailbox_accounts WHERE id = $1', [
      sut.accountId,
    ]);
    const again = await run(path, '--account', String(email).toUpperCase());
    expect(again.code).toBe(0);
    expect(again.output).toContain('2 items = 0 imported + 2 there already + 0 left out + 0 failed');
    expect(await subjects(sut)).toEqual(['one', 'two']);
    expect(existsSync(path)).toBe(true);
    expect(await app.dataSource.query('SELECT 1 FROM import_uploads')).toEqual([]);
    const jobs = await user.api.get(`/api/jobs?accountId=${sut.accountId}`);
    expect(JSON.stringify(jobs.body)).not.toContain(root);
  });

  it('should import a folder as one import, with its folders as labels, and exit with 2 for what it could not read', async () => {
    const sut = await account();
    put('Profile/Inbox', mbox('in'));
    put('Profile/Work.sbd/Plans', mbox('plan'));
    put('Profile/prefs.js', 'user_pref("a", 1);\n');
    put('Profile/old.rar', 'Rar!\x1a\x07\x00');
    put('outside.eml', mail('outside'));
    symlinkSync(join(root, 'outside.eml'), join(root, 'Profile/link.eml'));
    symlinkSync(root, join(root, 'Profile/up'));
    const { code, output, errors } = await run(join(root, 'Profile'), '--account', sut.accountId);
    expect(output).toContain('6 items = 2 imported + 0 there already + 3 left out + 1 failed');
    expect(output).toContain('left out: 2 linkOrDevice');
    expect(output).toContain('failed: Profile/old.rar');
    expect([code, errors]).toEqual([2, '1 of 6 items could not be read.\n']);
    const rows = [...(await sut.rows()).values()];
    expect(Object.fromEntries(rows.map((row) => [row.subject, row.label_ids]))).toEqual({
      in: ['INBOX'],
      plan: ['Work/Plans'],
    });
  });

  it('should name each file and folder that cannot be read, and import the rest', async () => {
    const sut = await account();
    put('Mail/a.mbox', mbox('first'));
    const secret = put('Mail/b-secret.eml', mail('secret'));
    put('Mail/c-closed/inside.eml', mail('inside'));
    put('Mail/d-listed/inside.eml', mail('listed'));
    put('Mail/e.eml', mail('last'));
    symlinkSync(join(root, 'nowhere'), join(root, 'Mail/f-dangling.eml'));
    symlinkSync('../../../../etc', join(root, 'Mail/g-climbing'));
    execFileSync('mkfifo', [join(root, 'Mail/h-pipe')]);
    for (const folder of [root, join(root, 'Mail')]) chmodSync(folder, 0o755);
    chmodSync(secret, 0);
    chmodSync(join(root, 'Mail/c-closed'), 0);
    // Its names can be listed, but what they stand for cannot be looked at.
    chmodSync(join(root, 'Mail/d-listed'), 0o444);
    const lines = await withoutRoot([app.env['DATA_DIR']!], () => follow(join(root, 'Mail'), sut.accountId));
    expect(lines.slice(1)).toEqual([
      '8 items = 2 imported + 0 there already + 3 left out + 3 failed',
      '  left out: 3 linkOrDevice: Mail/f-dangling.eml, Mail/g-climbing, Mail/h-pipe',
      '  failed: Mail/b-secret.eml: the service may not read it',
      '  failed: Mail/c-closed: the service may not read it',
      '  failed: Mail/d-listed/inside.eml: the service may not read it',
      '! 3 of 8 items could not be read.',
    ]);
    expect(await subjects(sut)).toEqual(['first', 'last']);
    // Once they can be read, the rest comes in.
    for (const path of [secret, join(root, 'Mail/c-closed'), join(root, 'Mail/d-listed')])
      chmodSync(path, 0o755);
    expect((await follow(join(root, 'Mail'), sut.accountId)).join('\n')).toContain(
      '= 3 imported + 2 there already',
    );
  });

  it('should fail with the reason when the service may not read the file or folder at all', async () => {
    const sut = await account();
    const path = put('secret.mbox', mbox('secret'));
    chmodSync(root, 0o755);
    chmodSync(path, 0);
    const lines = await withoutRoot([app.env['DATA_DIR']!], () => follow(path, sut.accountId));
    expect(lines.at(-1)).toMatch(/^! The import failed: .*rights.* \(import-file-unreadable\)$/);
    expect(await subjects(sut)).toEqual([]);
  });

  it('should read a data file of Outlook where it lies, also in a folder', async () => {
    const sut = await account();
    // The first copy of a file in an archive makes the directory for copies.
    rmSync(join(app.env['DATA_DIR']!, 'uploads'), { recursive: true, force: true });
    writeFileSync(join(root, 'zipped.zip'), await zipOf({ 'sample.pst': readFileSync(SAMPLE.pst) }));
    const zipped = await follow(join(root, 'zipped.zip'), sut.accountId);
    const imported = Number(/= (\d+) imported/.exec(zipped.join('\n'))?.[1]);
    expect(imported).toBeGreaterThan(0);
    copyFileSync(SAMPLE.pst, join(root, 'sample.pst'));
    const alone = await follow(join(root, 'sample.pst'), sut.accountId);
    expect(alone.join('\n')).toContain(`= 0 imported + ${imported} there already`);
    mkdirSync(join(root, 'Outlook'));
    copyFileSync(SAMPLE.pst, join(root, 'Outlook/sample.pst'));
    const inFolder = await follow(join(root, 'Outlook'), sut.accountId);
    expect(inFolder.join('\n')).toContain(`= 0 imported + ${imported} there already`);
    expect(readdirSync(join(app.env['DATA_DIR']!, 'uploads'))).toEqual([]);
  });

  it('should keep copies of files in an archive until its import has ended, and then delete them', async () => {
    const sut = await account();
    const path = put('large.mbox', manyMails('copied', 800));
    await stopAfterFirstBatch();
    const following = follow(path, sut.accountId);
    await gate.reached();
    const [{ id }] = await app.dataSource.query('SELECT id FROM import_places WHERE account_id = $1', [
      sut.accountId,
    ]);
    const copy = join(app.env['DATA_DIR']!, 'uploads', `${id}.spool1`);
    writeFileSync(copy, 'a copy that is read for hours');
    utimesSync(copy, new Date(0), new Date(0));
    await app.app.get(ImportUploadsService).deleteFinished();
    expect(existsSync(copy)).toBe(true);
    await gate.open();
    await following;
    expect(existsSync(copy)).toBe(false);
  });

  it('should name what is wrong with an account or a path', async () => {
    const sut = await account();
    const path = put('mail.mbox', mbox('x'));
    expect(await run(path, '--account', 'nobody@example.com')).toMatchObject({
      code: 1,
      errors: 'No account has the id or the address nobody@example.com.\n',
    });
    const missing = await run(join(root, 'none'), '--account', sut.accountId);
    expect([missing.code, missing.errors]).toEqual([1, `${join(root, 'none')} cannot be read: ENOENT\n`]);
    const other = await app.user();
    const shared = `shared${accounts}-0@sandbox.mailroom.test`;
    await user.connect(shared);
    await other.connect(shared);
    expect(await follow(path, shared)).toEqual([expect.stringMatching(/^! Several users have a mailbox/)]);
    const archive = await user.api.post('/api/auth/mailbox/archives', { name: 'boss@example.com' });
    expect(await follow(path, 'boss@example.com')).toEqual([expect.stringMatching(/^! No account has/)]);
    expect((await follow(path, archive.body.id as string)).at(-1)).toContain('1 items = 1 imported');
  });

  it('should fail for a file of another kind, with the reason', async () => {
    const sut = await account();
    const path = put('paper.pdf', '%PDF-1.7 and so on');
    expect((await follow(path, sut.accountId)).at(-1)).toMatch(
      /^! The import failed: .*PDF.*\(not-an-mbox-file\)/,
    );
    expect(readdirSync(root)).toEqual(['paper.pdf']);
  });

  it('should cancel on request between batches, keep what is imported, and import the rest when repeated', async () => {
    const sut = await account();
    const path = put('large.mbox', manyMails('cancelled', 1_500));
    await stopAfterFirstBatch();
    const stopping = new AbortController();
    const following = follow(path, sut.accountId, stopping.signal);
    await gate.reached();
    // The same path is not imported twice at once.
    const second = new AbortController();
    const other = follow(path, sut.accountId, second.signal);
    stopping.abort();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await gate.open();
    const lines = await following;
    expect(lines.at(-1)).toBe('! The import was cancelled. Run it again to go on.');
    expect((await other)[0]).toContain('is being imported already');
    const kept = (await subjects(sut)).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(1_500);
    expect((await follow(path, sut.accountId)).at(-1)).toContain(
      `1500 items = ${1_500 - kept} imported + ${kept} there already`,
    );
    expect(await subjects(sut)).toHaveLength(1_500);
  });

  it.each<[string, (path: string) => void]>([
    ['written to', (path) => appendFileSync(path, mbox('late'))],
    [
      'replaced by another',
      (path) => {
        renameSync(path, `${path}.old`);
        writeFileSync(path, 'another');
      },
    ],
  ])('should fail when the file is %s before an attempt', async (_how, change) => {
    const sut = await account();
    const path = put('growing.mbox', mbox('early'));
    const state = await readPlacedState(path, new AbortController().signal);
    change(path);
    const started = await services().imports.start(
      { userId: user.id, accountId: sut.accountId },
      path,
      state!,
      false,
    );
    const job = await user.jobEnd(started!.jobId);
    expect([job.status, job.error_code]).toEqual(['failed', 'import-file-changed']);
    expect(await subjects(sut)).toEqual([]);
    const resumed = await user.api.post(`/api/jobs/${started!.jobId}/resume`, {});
    expect([resumed.status, resumed.body.code]).toEqual([409, 'job-not-resumable']);
  });

  it('should fail when the file is written to during the import, and keep the batches before it', async () => {
    const sut = await account();
    const path = put('open.mbox', manyMails('open', 1_500));
    await stopAfterFirstBatch();
    const following = follow(path, sut.accountId);
    await gate.reached();
    appendFileSync(path, mbox('late'));
    await gate.open();
    expect((await following).at(-1)).toMatch(/import-file-changed/);
    const kept = await subjects(sut);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(1_500);
    expect((await follow(path, sut.accountId)).at(-1)).toContain(`+ ${kept.length} there already`);
    expect(await subjects(sut)).toHaveLength(1_501);
  });

  it.each<[string, (path: string) => void]>([
    ['vanishes', (path) => rmSync(path)],
    ['shrinks', (path) => writeFileSync(path, mbox('short'))],
  ])('should fail when a file of a folder %s, and import the rest when repeated', async (_how, change) => {
    const sut = await account();
    put('Mail/a.mbox', manyMails('whole', 1_200));
    const path = put('Mail/b.mbox', mbox('short', 'long'));
    put('Mail/c.mbox', mbox('behind'));
    await stopAfterFirstBatch();
    const following = follow(join(root, 'Mail'), sut.accountId);
    await gate.reached();
    change(path);
    await gate.open();
    expect((await following).at(-1)).toMatch(/import-file-changed/);
    const again = await follow(join(root, 'Mail'), sut.accountId);
    expect(again.at(-1)).toMatch(/ 0 left out \+ 0 failed$/);
    const rest = existsSync(path) ? ['behind', 'short'] : ['behind'];
    expect((await subjects(sut)).filter((subject) => !subject.startsWith('whole'))).toEqual(rest);
  });

  it('should follow no link that takes the place of a folder on the way', async () => {
    const sut = await account();
    const path = put('box/mail.mbox', mbox('inside'));
    const state = await readPlacedState(path, new AbortController().signal);
    renameSync(join(root, 'box'), join(root, 'moved'));
    symlinkSync(join(root, 'moved'), join(root, 'box'));
    const { imports } = services();
    const started = await imports.start({ userId: user.id, accountId: sut.accountId }, path, state!, false);
    const job = await user.jobEnd(started!.jobId);
    expect([job.status, job.error_code]).toEqual(['failed', 'import-file-changed']);
  });
});
