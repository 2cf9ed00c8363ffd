import { createHash } from 'node:crypto';
import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import type { ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import type { ImapTestServer } from '../../../support/imap/imap-test-server';
import { CourierServer } from '../../../support/imap/courier-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { connectByPassword, subjectsIn } from '../../../support/peers/imap-server-peer';
import { REAL_SERVERS } from '../../../support/peers/real-servers';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const IN_INBOX = [1, 2, 3];
const FILED = [4, 5, 6];
const ARRIVING = 7;
const subjectsOf = (...numbers: readonly number[]): string[] => numbers.map((number) => `Message ${number}`);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ sandbox: { messages: 1 } });
});
afterAll(() => app?.close());

/** A sample of what people do, on servers that differ from the Dovecot of the other specs. */
describe.each(REAL_SERVERS.map((real) => [real.name, real] as const))(
  'A mailbox on %s',
  (_name, { start }) => {
    let server: ImapTestServer;
    let user: TestUser;
    let id: string;

    beforeAll(async () => {
      server = await start();
      await fill('INBOX', IN_INBOX);
      await fill('Work', FILED);
      user = await app.user();
    });
    afterAll(() => server?.stop());

    const fill = (folder: string, numbers: readonly number[]): Promise<void> =>
      server.append(
        folder,
        numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
      );
    const get = async (path: string): Promise<any> => {
      const { status, body, bytes } = await user.api.get(path);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
      return body;
    };
    const started = async (path: string, request: object): Promise<any> => {
      const { status, body, bytes } = await user.api.post(path, request);
      if (status !== 202) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
      const job = await user.jobEnd(body.jobId as string);
      expect(job).toMatchObject({ status: 'completed', failed: 0 });
      return { ...body, job };
    };
    /** Ids by subjects. */
    const listed = async (query = ''): Promise<Map<string, string>> => {
      const page = await get(`/api/mailbox/${id}/messages?maxResults=100&q=${encodeURIComponent(query)}`);
      const ids: string[] = page.messages.map((message: { id: string }) => message.id);
      if (ids.length === 0) return new Map();
      const { body } = await user.api.post(`/api/mailbox/${id}/messages/batch`, { ids });
      return new Map(
        body.map(({ subject, id: messageId }: { subject: string; id: string }) => [subject, messageId]),
      );
    };
    const subjects = async (query?: string): Promise<string[]> => [...(await listed(query)).keys()].sort();
    const idsOf = async (...numbers: readonly number[]): Promise<string[]> => {
      const ids = await listed();
      return subjectsOf(...numbers).map((subject) => ids.get(subject)!);
    };
    const bulk = async (action: string, numbers: readonly number[]): Promise<any> =>
      (await started(`/api/mailbox/${id}/messages/bulk`, { action, messageIds: await idsOf(...numbers) }))
        .job;
    const undo = (job: { id: string }): Promise<any> => started(`/api/jobs/${job.id}/undo`, {});

    async function look(): Promise<void> {
      const [account]: ProviderAccount[] = await app.dataSource.query(
        `SELECT id, user_id AS "userId", email, provider FROM mailbox_accounts WHERE id = $1`,
        [id],
      );
      await app.dataSource.query(
        `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
        [id],
      );
      await app.app.get(ContinuousArchiver).syncNewMail(account!, AbortSignal.timeout(60_000));
      const { jobId } = await get(`/api/archiving/${id}`);
      if (jobId) await user.jobEnd(jobId as string);
    }

    it('should be connected and listed completely', async () => {
      await expect(connectByPassword(user, server, { password: 'wrong' })).rejects.toThrow(
        'Not connected: 4',
      );
      id = await connectByPassword(user, server);
      expect(await subjects()).toEqual(subjectsOf(...IN_INBOX, ...FILED));
      expect(await subjects('in:inbox')).toEqual(subjectsOf(...IN_INBOX));
    });

    it('should archive messages out of the inbox, and undo it', async () => {
      const job = await bulk('archive', [1, 2]);
      expect(await subjectsIn(server, 'INBOX')).toEqual(subjectsOf(3));
      expect(await subjects()).toEqual(subjectsOf(...IN_INBOX, ...FILED));
      await undo(job);
      expect(await subjectsIn(server, 'INBOX')).toEqual(subjectsOf(...IN_INBOX));
      expect(await subjectsIn(server, 'Archive')).toEqual([]);
    });

    it('should move messages to the trash, and back to where they were', async () => {
      const job = await bulk('trash', [3, 4]);
      expect(await subjectsIn(server, 'Trash')).toEqual(subjectsOf(3, 4));
      expect(await subjectsIn(server, 'Work')).toEqual(subjectsOf(5, 6));
      await undo(job);
      expect(await subjectsIn(server, 'Trash')).toEqual([]);
      expect(await subjectsIn(server, 'INBOX')).toEqual(subjectsOf(...IN_INBOX));
      expect(await subjectsIn(server, 'Work')).toEqual(subjectsOf(...FILED));
    });

    it('should keep everything, and new mail, byte for byte', async () => {
      const { body } = await user.api.put(`/api/archiving/${id}`, { mode: 'keep' });
      expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
      await fill('INBOX', [ARRIVING]);
      await waitFor('everything to be copied', async () => {
        await look();
        const { exact, pending, jobId } = await get(`/api/archiving/${id}`);
        return exact && pending === 0 && jobId === null;
      });
      const numbers = [...IN_INBOX, ...FILED, ARRIVING];
      expect(await subjects()).toEqual(subjectsOf(...numbers));
      const copies: { sha256: string }[] = await app.dataSource.query(
        'SELECT sha256 FROM archived_mails WHERE account_id = $1',
        [id],
      );
      expect(copies.map((copy) => copy.sha256).sort()).toEqual(
        numbers.map((number) => sha256(plainMail(number))).sort(),
      );
      expect(await get(`/api/coverage/${id}`)).toMatchObject({ exact: true, total: numbers.length });
    });

    it('should offload filed mail, with a receipt', async () => {
      const { planId } = await started(`/api/offload/${id}/plans`, {
        select: { messageIds: await idsOf(...FILED) },
        mode: 'strict',
        allow: { starred: true, important: true, unread: true },
      });
      const path = `/api/offload/${id}/plans/${planId}`;
      const plan = await get(path);
      expect(plan).toMatchObject({ status: 'ready', offloadable: FILED.length });
      await started(`${path}/confirm`, { digest: plan.digest, count: FILED.length });
      expect(await get(path)).toMatchObject({ status: 'done', trashed: FILED.length });
      expect(await subjectsIn(server, 'Trash')).toEqual(subjectsOf(...FILED));
      expect(await subjectsIn(server, 'Work')).toEqual([]);
      const { statement } = await get(`/api/offload/${id}/receipts/${planId}`);
      expect(JSON.parse(statement as string)).toMatchObject({ items: { count: FILED.length } });
    });
  },
);

describe('A mailbox on Courier that moves expunged messages to the trash', () => {
  let server: CourierServer;
  beforeAll(async () => {
    server = await CourierServer.start({ expungesToTrash: true });
  });
  afterAll(() => server?.stop());

  it('should not keep permanently deleted messages in the trash', async () => {
    for (const [folder, ...numbers] of [
      ['INBOX', 1, 2],
      ['Work', 3],
      ['Trash', 4, 5],
    ] as const)
      await server.append(
        folder,
        numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
      );
    const user = await app.user();
    const id = await connectByPassword(user, server);
    const { body: page } = await user.api.get(
      `/api/mailbox/${id}/messages?maxResults=100&q=${encodeURIComponent('in:anywhere')}`,
    );
    const ids = (page.messages as { id: string }[]).map((message) => message.id);
    const { body: found } = await user.api.post(`/api/mailbox/${id}/messages/batch`, { ids });
    const messageIds = (found as { id: string; subject: string }[])
      .filter(({ subject }) => subjectsOf(1, 3, 4).includes(subject))
      .map((message) => message.id);
    expect(messageIds).toHaveLength(3);
    const { body } = await user.api.post(`/api/mailbox/${id}/messages/bulk`, {
      action: 'delete',
      messageIds,
    });
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({
      status: 'completed',
      failed: 0,
      result: { changed: 3 },
    });
    expect(await subjectsIn(server, 'INBOX')).toEqual(subjectsOf(2));
    expect(await subjectsIn(server, 'Work')).toEqual([]);
    expect(await subjectsIn(server, 'Trash')).toEqual(subjectsOf(5));
  });
});
