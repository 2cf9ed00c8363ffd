import { filesSettled } from '../../../support/archive/settled-files';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { parseMbox } from '../../../support/archive/exports';
import { EncryptedArchive, PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { ServiceProcess } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const DAY_MS = 24 * 60 * 60 * 1000;
const RECENT = 140;
const OLD = 60;
const PURGED = 60;
const LARGE_BYTES = 9 * 1024 * 1024;
const KILLS = 2;
const DAMAGED = 6;
const EXPORT_PAUSE_MS = 300;
/** In every body, and nowhere else. */
const SECRET = 'quixotrypassag';

/**
 * Mail is encrypted, twice over, while it is archived, archived again, removed for its age, purged and exported, by two
 * processes that are killed again and again. What happens is up to chance; what is left is not.
 */
describe('Encrypted archives of a service that is killed while it writes and deletes', () => {
  let app: TestApp;
  let user: TestUser;
  let box: EncryptedArchive;
  let purged: EncryptedArchive;
  let services: ServiceProcess[] = [];
  let recent: string[];
  let old: string[];
  const stopExports = new AbortController();

  beforeAll(async () => {
    // Takes the requests and exports; the jobs run in processes that are killed.
    app = await startTestApp({ sandbox: { messages: 1, latencyMs: 5 }, env: { ROLE: 'api' } });
    user = await app.user();
    box = await EncryptedArchive.connect(app, user, 'encchaos-0@sandbox.mailroom.test');
    purged = await EncryptedArchive.connect(app, user, 'encpurged-0@sandbox.mailroom.test');
    await box.setUp();
    recent = [...insert(box, RECENT, 2, 3_000), ...insert(box, 1, 3, LARGE_BYTES)];
    old = insert(box, OLD, 100, 3_000);
    insert(purged, PURGED, 2, 3_000);
  });

  afterAll(async () => {
    stopExports.abort();
    await Promise.all(services.map((service) => service.stop()));
    await app?.close();
  });

  function insert({ mailbox }: EncryptedArchive, count: number, ageDays: number, bytes: number): string[] {
    return Array.from({ length: count }, (_, n) => {
      const head = `Subject: Number ${n} of ${ageDays}\r\nMessage-ID: <${ageDays}.${n}@example.com>\r\n\r\n${SECRET}\r\n`;
      const text = randomBytes(bytes)
        .toString('base64')
        .replace(/.{76}/g, (line) => `${line}\r\n`);
      const internalDate = new Date(Date.now() - ageDays * DAY_MS - n * 1_000);
      return mailbox.insert(Buffer.from(`${head}${text}\r\n`), { labelIds: ['INBOX'], internalDate });
    });
  }

  const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
    app.dataSource.query(sql, parameters);

  const startArchiving = async (into: EncryptedArchive, request: object): Promise<string> => {
    const { status, body } = await user.api.post(`${into.path}/archive`, request);
    expect(status).toBe(202);
    return body.jobId as string;
  };

  /** The process may be killed before it answers. */
  const retain = (): Promise<unknown> =>
    new ApiClient(services[0]!.url, user.api.token).post('/api/retention/run').catch(() => undefined);

  async function start(): Promise<void> {
    services = await Promise.all([0, 1].map(() => ServiceProcess.start({ ...app.env, ROLE: 'all' })));
  }

  async function kill(): Promise<void> {
    await Promise.all(services.map((service) => service.kill()));
    // The leases of killed processes end now, and no job is given up because it was lost too often.
    await query('UPDATE jobs SET lease_until = now(), lost_attempts = 0 WHERE lease_until IS NOT NULL');
  }

  const state = async (): Promise<string> => {
    const [row] = await query(
      `SELECT coalesce(sum(mails), 0) || ' ' || coalesce(sum(encrypted), 0) AS state FROM archive_totals`,
    );
    return row.state as string;
  };

  /** Alters plain files: they must not be encrypted as they are, and archiving with replacement puts them right. */
  async function damage(): Promise<void> {
    const rows: { storage_key: string }[] = await query(
      `SELECT storage_key FROM archived_mails
        WHERE account_id = $1 AND NOT is_encrypted AND date > now() - interval '30 days' ORDER BY random() LIMIT $2`,
      [box.accountId, DAMAGED],
    );
    for (const { storage_key: key } of rows)
      await writeFile(join(app.archiveDir, key), 'damaged', { flag: 'r+' });
  }

  const withoutCr = (bytes: Buffer): string => bytes.toString('latin1').replace(/\r/g, '').trimEnd();

  /** Exports again and again. What arrives whole has to be mail. @returns problems */
  async function exporting(seen: { whole: number; cut: number }, stopped: AbortSignal): Promise<string[]> {
    const originals = new Set([...recent, ...old].map((id) => withoutCr(box.mailbox.raw(id))));
    const problems: string[] = [];
    for (; !stopped.aborted; await pause(EXPORT_PAUSE_MS)) {
      const answer = await exportMbox().catch(() => null);
      if (answer?.status !== 200) {
        seen.cut += 1;
        continue;
      }
      seen.whole += 1;
      const messages = parseMbox(answer.bytes).map(({ message }) => message.replace(/\r/g, '').trimEnd());
      const foreign = messages.filter((message) => !originals.has(message)).length;
      if (foreign > 0) problems.push(`${foreign} of ${messages.length} exported messages are none`);
      if (new Set(messages).size < messages.length) problems.push('messages exported twice');
    }
    return problems;
  }

  const exportMbox = (): Promise<{ status: number; bytes: Buffer }> =>
    user.api.post(
      `/api/import/${box.accountId}/export-mbox`,
      {},
      { headers: { 'X-Archive-Passphrase': PASSPHRASE } },
    );

  /** Tables with rows in which a word of a body is found. */
  async function tablesWithWords(): Promise<string[]> {
    const found: string[] = [];
    const tables: { name: string }[] = await query(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    for (const { name } of tables) {
      const rows = await query(`SELECT 1 FROM ${name} one WHERE one::text LIKE $1 LIMIT 1`, [`%${SECRET}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('should hold every kept mail once, encrypted and whole, and no word of its body', async () => {
    const everything = [...recent, ...old];
    const archivings: string[] = [];
    const encryptions: string[] = [];
    const states: string[] = [];
    const exports = { whole: 0, cut: 0 };
    expect((await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 })).status).toBe(201);
    await start();
    expect(await box.archive({ messageIds: everything.slice(0, 120) }, 90_000)).toMatchObject({ failed: 0 });
    expect(await tablesWithWords()).toEqual(['archived_mail_words', 'archived_mails']);
    const purging = [await startArchiving(purged, { query: 'in:anywhere' }), await purged.startEncrypting()];
    const exported = exporting(exports, stopExports.signal);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = await state();
      encryptions.push(await box.startEncrypting());
      archivings.push(await startArchiving(box, { messageIds: everything, differential: false }));
      encryptions.push(await box.startEncrypting());
      if (kills === 0)
        expect((await user.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`)).status).toBe(204);
      await waitFor('something to have happened', async () => (await state()) !== before, 60_000);
      void retain();
      await pause(Math.random() * 400);
      await kill();
      states.push(await state());
      await damage();
      const inspection = await box.inspect({ leftoversAllowed: true });
      // Altered files are of plain mails: whatever is encrypted is the mail.
      const undamaged = await damagedPlain();
      expect(inspection.problems.filter((problem) => !undamaged.has(problem.split(':')[0]!))).toEqual([]);
      await start();
    }

    const ends = await Promise.all(
      [...archivings, ...encryptions, ...purging].map((job) => user.jobEnd(job, 120_000)),
    );
    // Now in order: what is damaged is put right, what is old goes, what is plain is encrypted.
    const repaired = await box.archive({ messageIds: everything, differential: false }, 90_000);
    const last = await box.encrypt(PASSPHRASE, 90_000);
    expect(await retain()).toMatchObject({ status: 200 });
    stopExports.abort();
    const exportProblems = await exported;
    await waitFor('the account to be gone', async () => {
      const left = await query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [purged.accountId]);
      return left.length === 0;
    });
    await filesSettled(app.dataSource);

    const seen = { states, exports };
    const ofBox = ends.slice(0, archivings.length + encryptions.length);
    expect({ ...seen, ends: ofBox.map(({ status, error }) => [status, error]) }).toEqual({
      ...seen,
      ends: ofBox.map(() => ['completed', null]),
    });
    expect({ ...seen, repaired, last }).toMatchObject({
      repaired: { status: 'completed', failed: 0 },
      last: { status: 'completed', failed: 0 },
    });
    const { problems, plain, encrypted } = await box.inspect({ leftoversAllowed: true });
    expect({ ...seen, problems, plain, encrypted, exportProblems }).toEqual({
      ...seen,
      problems: [],
      plain: 0,
      encrypted: recent.length,
      exportProblems: [],
    });
    expect([...(await box.rows()).keys()].sort()).toEqual([...recent].sort());
    expect(await leftBehind()).toEqual([]);
    const whole = await exportMbox();
    expect([whole.status, parseMbox(whole.bytes).length]).toEqual([200, recent.length]);
    // The kills were in the midst of it, or the test has shown nothing.
    expect(new Set(states).size).toBeGreaterThan(1);
  }, 280_000);

  /** Message ids of plain mails whose files have been altered. */
  async function damagedPlain(): Promise<Set<string>> {
    const altered = new Set<string>();
    for (const [messageId, row] of await box.rows()) {
      if (row.is_encrypted) continue;
      const file = await readFile(join(app.archiveDir, row.storage_key as string));
      if (file.subarray(0, 7).toString() === 'damaged') altered.add(messageId);
    }
    return altered;
  }

  /** Files that no row names, and places where a word of a body can still be found. */
  async function leftBehind(): Promise<string[]> {
    const found: string[] = [];
    const named = new Set([...(await box.rows()).values()].map((row) => row.storage_key as string));
    const entries = await readdir(app.archiveDir, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      // Half-written files of the dead go after ten minutes.
      if (!path.startsWith(join(app.archiveDir, '.tmp')) && !named.has(path.slice(app.archiveDir.length + 1)))
        found.push(path);
    }
    found.push(...(await tablesWithWords()));
    const [{ pending }] = await query('SELECT count(*)::int AS pending FROM file_deletions');
    if (pending > 0) found.push(`${pending} removals pending`);
    return found;
  }
});
