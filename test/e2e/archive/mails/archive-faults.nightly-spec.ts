import { mkdir, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveWriter } from '../../../../src/archive/mails/writing/archive-writer';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { startTestApp, TestApp } from '../../../support/app';
import { deleteFiles } from '../../../support/archive/settled-files';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;

describe('Archive under faults', () => {
  let app: TestApp;
  let user: TestUser;
  let boxes = 0;

  const connect = (messages: number): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `faults${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  const large = (number: number, bytes: number): Buffer =>
    Buffer.concat([
      Buffer.from(`Subject: large ${number}\r\n\r\n`),
      Buffer.alloc(bytes, `line ${number}\r\n`),
    ]);

  const openArchiveFiles = async (): Promise<string[]> => {
    const descriptors = await readdir('/proc/self/fd');
    const targets = await Promise.all(
      descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return targets.filter((target) => target.startsWith(app.archiveDir));
  };

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => app?.close());

  describe('a file that cannot be read', () => {
    let sut: ArchiveFixture;
    let mailIds: string[];
    let attachmentId: string;

    beforeAll(async () => {
      sut = await connect(0);
      const content = Buffer.alloc(MIB, 'attached ');
      mailIds = await sut.insertAndArchive(
        large(1, MIB),
        emlWithAttachment({ disposition: 'filename="a.bin"', content }),
        ...Array.from({ length: 20 }, (_, number) => large(number, MIB)),
      );
      const { body } = await user.api.get(`${sut.path}/mails/${mailIds[1]}`);
      attachmentId = body.attachments[0].id as string;
      for (const id of mailIds.slice(0, 2)) {
        const row = [...(await sut.rows()).values()].find((candidate) => candidate.id === id);
        await rm(join(app.archiveDir, row.storage_key));
        await mkdir(join(app.archiveDir, row.storage_key));
      }
    });

    it.each([
      ['export-zip', () => user.api.post(`${sut.path}/export-zip`, { mailIds })],
      ['export-zip, deflated', () => user.api.post(`${sut.path}/export-zip?compress=true`, { mailIds })],
      ['export-mbox', () => user.api.post(`/api/import/${sut.accountId}/export-mbox`, {})],
      ['the EML', () => user.api.get(`${sut.path}/mails/${mailIds[0]}/eml`)],
      ['an attachment', () => user.api.get(`${sut.path}/attachments/${attachmentId}/download`)],
    ])('should cut only the connection of %s', async (_name, request) => {
      await expect(request()).rejects.toThrow();
      await waitFor('open EML files to be closed', async () => (await openArchiveFiles()).length === 0);
      const intact = await user.api.get(`${sut.path}/mails/${mailIds[2]}/eml`);
      expect([intact.status, intact.bytes.length > MIB]).toEqual([200, true]);
    });
  });

  it.each([['export-zip'], ['export-mbox']])(
    'should close every file when the client of %s disconnects halfway',
    async (kind) => {
      const sut = await connect(0);
      const mailIds = await sut.insertAndArchive(
        ...Array.from({ length: 24 }, (_, number) => large(number, MIB)),
      );
      const path =
        kind === 'export-zip' ? `${sut.path}/export-zip` : `/api/import/${sut.accountId}/export-mbox`;
      const abortion = new AbortController();
      const response = await user.api.fetch('POST', path, { body: { mailIds }, signal: abortion.signal });
      await response.body!.getReader().read();
      await waitFor('a file to be open', async () => (await openArchiveFiles()).length > 0);
      abortion.abort();
      await waitFor('open EML files to be closed', async () => (await openArchiveFiles()).length === 0);
    },
  );

  describe('nonsensical requests', () => {
    let sut: ArchiveFixture;

    beforeAll(async () => {
      sut = await connect(3);
      await sut.archive({ query: 'in:anywhere' });
    });

    it.each([
      [{ query: 'in:inbox\0' }, 'query'],
      [{ query: 'in:inbox\n' }, 'query'],
      [{ query: 'caf\ud800' }, 'query'],
      [{ messageIds: ['18c2\ud800'] }, 'messageIds'],
      [{ messageIds: ['18c2\0'] }, 'messageIds'],
      [{ messageIds: ['18c2/../x'] }, 'messageIds'],
    ])('should refuse %j', async (request, field) => {
      const { status, body } = await user.api.post(`${sut.path}/archive`, request);
      expect([status, body.errors?.[0].field]).toEqual([400, field]);
    });

    it.each(['mails', 'threads'])('should answer pages far beyond the end of %s', async (list) => {
      for (const filter of [
        '',
        '&q=the',
        '&sender=example',
        '&from_date=1990-01-01',
        '&q=the&sender=example',
      ]) {
        const first = await user.api.get(`${sut.path}/${list}?page=1${filter}`);
        for (const page of ['2', '2000000', '999999999999', '1000000000000000000']) {
          const { status, body } = await user.api.get(`${sut.path}/${list}?page=${page}${filter}`);
          if (status === 400) expect(body.errors[0].field).toBe('page');
          else expect([status, body[list], body.total]).toEqual([200, [], first.body.total]);
        }
      }
    });
  });

  it('should end with the cause when large messages cannot be written', async () => {
    const sut = await connect(0);
    const ids = Array.from({ length: 20 }, (_, number) => sut.mailbox.insert(large(number, 6 * MIB)));
    const folder = join(app.archiveDir, user.id, sut.accountId);
    await mkdir(dirname(folder), { recursive: true });
    await writeFile(folder, 'in the way');
    const job = await sut.archive({ messageIds: ids }, 60_000);
    expect([job.status, job.processed]).toEqual(['failed', 0]);
    await rm(folder);
    const again = await sut.archive({ messageIds: ids }, 60_000);
    expect([again.status, again.processed]).toEqual(['completed', 20]);
  }, 130_000);

  it('should leave no files of a batch whose account was deleted', async () => {
    const sut = await connect(2);
    await sut.archive({ query: 'in:anywhere' });
    await app.dataSource.query('DELETE FROM mailbox_accounts WHERE id = $1', [sut.accountId]);
    const before = await sut.files();
    const raw = eml('Subject: late', '', 'x');
    const written = app.app.get(ArchiveWriter).write(
      { userId: user.id, accountId: sut.accountId },
      [
        {
          messageId: 'late',
          threadId: 'late',
          date: new Date(),
          receivedAt: new Date(),
          dateSource: 'arrival',
          labelIds: [],
          snippet: '',
          raw,
          parsed: parseForArchive({ raw }),
        },
      ],
      { replace: false },
    );
    await expect(written).rejects.toMatchObject({ code: 'mailbox-account-gone' });
    await deleteFiles(app);
    expect(await sut.files()).toEqual(before);
  });

  it('should leave nothing of an archive that was purged while more was being archived', async () => {
    const sut = await connect(300);
    app.sandbox.fault({ endpoint: 'messages.get', times: 'always', answer: { kind: 'slow', delayMs: 50 } });
    const { body } = await user.api.post(`${sut.path}/archive`, { query: 'in:anywhere' });
    await waitFor('the first batch', async () => (await sut.rows()).size > 0);
    expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}?purge=true`)).status).toBe(204);
    await waitFor('all to be gone', async () => {
      const accounts = await app.dataSource.query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [
        sut.accountId,
      ]);
      return accounts.length === 0 && (await sut.files()).length === 0;
    });
    expect((await user.jobEnd(body.jobId as string)).status).toBe('cancelled');
    app.sandbox.clearFaults();
    expect([(await sut.rows()).size, await sut.files()]).toEqual([0, []]);
  });

  it('should let writers of one account wait for each other instead of deadlocking', async () => {
    const sut = await connect(2);
    await sut.archive({ query: 'in:anywhere' });
    const [first, second] = [...(await sut.rows()).values()];
    expect(first.thread_id).not.toBe(second.thread_id);
    const one = app.dataSource.createQueryRunner();
    const other = app.dataSource.createQueryRunner();
    try {
      await one.query('BEGIN');
      await one.query('DELETE FROM archived_mails WHERE id = $1', [first.id]);
      const removal = other.query('DELETE FROM archived_mails WHERE id = $1', [second.id]);
      await waitFor('the other writer to wait', async () => {
        const waiting = await app.dataSource.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM archived_mails%'`,
        );
        return waiting.length > 0;
      });
      await one.query(
        `INSERT INTO archived_mails SELECT (jsonb_populate_record(m, jsonb_build_object(
           'id', gen_random_uuid(), 'mailbox_message_id', 'another', 'thread_id', $2::text))).*
           FROM archived_mails m WHERE m.id = $1`,
        [second.id, second.thread_id],
      );
      await one.query('COMMIT');
      await removal;
    } catch (error) {
      await one.query('ROLLBACK');
      throw error;
    } finally {
      await one.release();
      await other.release();
    }
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
    expect(counted).toMatchObject({ mails: 1, threads: 1 });
  });

  it('should report many unknown ids and archive the rest', async () => {
    const sut = await connect(5);
    const unknown = Array.from({ length: 500 }, (_, number) => `unknown${number}`);
    const job = await sut.archive({ messageIds: [...unknown, ...sut.mailbox.ids()] });
    expect(job).toMatchObject({ status: 'completed', total: 505, processed: 5, failed: 500 });
  });
});
