import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import { ImapCalls } from '../../../../src/providers/imap/session/imap-calls';
import { ImapFoldersRepository } from '../../../../src/providers/imap/store/imap-folders.repository';
import { ImapSession, type ListedFolder } from '../../../../src/providers/imap/session/imap-session';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { startTestApp, type TestApp } from '../../../support/app';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { connectByPassword, subjectsIn } from '../../../support/peers/imap-server-peer';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const NESTED = 'Work/2024';
/** Folder of each message, by its number. */
const FILED: Readonly<Record<string, readonly number[]>> = {
  INBOX: [1, 2],
  Work: [3, 4, 5],
  [NESTED]: [6, 7],
  Other: [],
};
const subjects = (numbers: readonly number[]): string[] => numbers.map((number) => `Message ${number}`);

/** People file their mail in folders of their own: there each folder is a label, and our move takes it away. */
describe('Offload of filed mail on an IMAP server', () => {
  let app: TestApp;
  let server: TestImapServer;
  let user: TestUser;
  let gate: StatementGate;
  let accountId: string;

  beforeAll(async () => {
    app = await startTestApp({ own: true });
    gate = new StatementGate(app.dataSource);
    server = await TestImapServer.start();
    await server.session(async (client) => {
      for (const folder of Object.keys(FILED)) if (folder !== 'INBOX') await client.mailboxCreate(folder);
    });
    for (const [folder, numbers] of Object.entries(FILED)) {
      const messages = numbers.map((number) => ({
        raw: plainMail(number),
        receivedAt: arrivalOf(number),
        flags: ['\\Seen'],
      }));
      if (messages.length > 0) await server.append(folder, messages);
    }
    // One lies in two folders.
    await server.session(async (client) => {
      await client.mailboxOpen('Work');
      await client.messageCopy({ subject: 'Message 5' }, NESTED);
    });
    user = await app.user();
    accountId = await connectByPassword(user, server);
    await user.api.put(`/api/archiving/${accountId}`, { mode: 'keep' });
    await waitFor('everything to be copied', async () => {
      await look();
      const status = (await user.api.get(`/api/archiving/${accountId}`)).body;
      if (status.jobId) await user.jobEnd(status.jobId as string);
      return status.exact && status.pending === 0 && status.jobId === null;
    });
  });
  afterAll(async () => {
    await gate?.open();
    await app?.close();
    await server?.stop();
  });

  async function look(): Promise<void> {
    await app.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );
    const [account] = await app.dataSource.query(
      `SELECT id, user_id AS "userId", email, provider FROM mailbox_accounts WHERE id = $1`,
      [accountId],
    );
    await app.app.get(ContinuousArchiver).syncNewMail(account, AbortSignal.timeout(60_000));
  }

  const folders = async (): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const folder of Object.keys(FILED)) found[folder] = await subjectsIn(server, folder);
    return found;
  };

  async function planned(query: string): Promise<{ path: string; plan: any; planId: string }> {
    const { status, body } = await user.api.post(`/api/offload/${accountId}/plans`, {
      select: { query },
      mode: 'strict',
    });
    expect(status).toBe(202);
    await user.jobEnd(body.jobId as string);
    const path = `/api/offload/${accountId}/plans/${body.planId}`;
    return { path, plan: (await user.api.get(path)).body, planId: body.planId as string };
  }

  const confirm = async (path: string, plan: any): Promise<string> =>
    (await user.api.post(`${path}/confirm`, { digest: plan.digest, count: plan.offloadable })).body
      .jobId as string;

  it('should move it out of all its folders, and restore it to them', async () => {
    const before = await folders();
    expect(before).toEqual({
      INBOX: subjects([1, 2]),
      Work: subjects([3, 4, 5]),
      [NESTED]: subjects([5, 6, 7]),
      Other: [],
    });
    const { path, plan, planId } = await planned('subject:message');
    expect(plan).toMatchObject({ status: 'ready', offloadable: 7, blocked: 0 });
    const jobId = await confirm(path, plan);
    expect(await user.jobEnd(jobId)).toMatchObject({
      status: 'completed',
      result: { trashed: 7, blocked: 0, left: 0, unknown: 0 },
    });
    expect(await folders()).toEqual({ INBOX: [], Work: [], [NESTED]: [], Other: [] });
    expect([...new Set(await subjectsIn(server, 'Trash'))]).toEqual(subjects([1, 2, 3, 4, 5, 6, 7]));
    const receipt = (await user.api.get(`/api/offload/${accountId}/receipts/${planId}`)).body;
    expect(JSON.parse(receipt.statement as string)).toMatchObject({
      counts: { selected: 7, trashed: 7, blocked: 0, left: 0 },
      blockedBy: {},
    });

    const undo = await user.api.post(`/api/jobs/${jobId}/undo`);
    expect((await user.jobEnd(undo.body.jobId as string)).result).toMatchObject({ restored: 7 });
    expect(await subjectsIn(server, 'Trash')).toEqual([]);
    const after = await folders();
    expect(after).toMatchObject({ INBOX: before['INBOX'], Other: [] });
    for (const number of [3, 4]) expect(after['Work']).toContain(`Message ${number}`);
    for (const number of [6, 7]) expect(after[NESTED]).toContain(`Message ${number}`);
    // It lies in at least one of the two folders that it was in.
    expect([...after['Work']!, ...after[NESTED]!]).toContain('Message 5');
  });

  it('should be restored into its folder from its plan', async () => {
    const { path, plan, planId } = await planned('subject:"Message 6"');
    expect(plan.offloadable).toBe(1);
    await user.jobEnd(await confirm(path, plan));
    expect((await folders())[NESTED]).not.toContain('Message 6');
    const { body } = await user.api.post(`/api/restore/${accountId}`, {
      select: { planId },
      target: { accountId },
    });
    await user.jobEnd(body.jobId as string);
    const restore = `/api/restore/${accountId}/${body.restoreId}`;
    const started = await user.api.post(`${restore}/start`);
    await user.jobEnd(started.body.jobId as string);
    expect((await user.api.get(restore)).body.counts).toMatchObject({ untrashed: 1, failed: 0 });
    expect((await folders())[NESTED]).toContain('Message 6');
  });

  it('should notice late stars and moves by others, and leave those messages in place', async () => {
    const { path, plan } = await planned('subject:"Message 3" OR subject:"Message 4" OR subject:"Message 7"');
    expect(plan.offloadable).toBe(3);
    await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
    const jobId = await confirm(path, plan);
    await gate.reached();
    await server.session(async (client) => {
      await client.mailboxOpen('Work');
      await client.messageFlagsAdd({ subject: 'Message 3' }, ['\\Flagged']);
      await client.messageMove({ subject: 'Message 4' }, 'Other');
    });
    await gate.open();
    const ended = await user.jobEnd(jobId);
    expect(ended).toMatchObject({ status: 'completed', result: { trashed: 1, blocked: 2 } });
    // An attempt that lost its lease at the gate is repeated, and the next one finds what has changed since the plan.
    const {
      'changed-meanwhile': meanwhile = 0,
      'changed-since-plan': sincePlan = 0,
      ...untrue
    } = ended.result.blockedBy;
    expect({ told: meanwhile + sincePlan, untrue }).toEqual({ told: 2, untrue: {} });
    expect(await folders()).toMatchObject({
      Work: expect.arrayContaining(['Message 3']) as unknown,
      Other: ['Message 4'],
    });
    expect(await subjectsIn(server, 'Trash')).toEqual(['Message 7']);
  });

  describe('with a sync that sees half of a move', () => {
    const { list, move } = ImapSession.prototype;

    afterEach(() => jest.restoreAllMocks());

    const copied = (): Promise<void> =>
      waitFor('it to be copied', async () => {
        await look();
        const { exact, pending, jobId } = (await user.api.get(`/api/archiving/${accountId}`)).body;
        return exact && pending === 0 && jobId === null;
      });
    /** A look at all folders by another connection. */
    const lookBeside = async (): Promise<void> => {
      const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
      await app.app
        .get(ImapCalls)
        .run(account, { priority: 'interactive', command: 'LOOK' }, ({ session, server: known }) =>
          app.app.get(ImapSync).run({ account, server: known }, session),
        );
    };

    it('should recognise its own move of a message that is also in the archive folder', async () => {
      // Places are changed folder by folder in the order of the folders' ids, which follow the time they were first seen.
      await server.session((client) => client.mailboxCreate('Club'));
      await lookBeside();
      await server.session((client) => client.mailboxCreate('Archive'));
      await lookBeside();
      const folders = await app.app.get(ImapFoldersRepository).list(accountId);
      const archive = folders.find(({ role }) => role === 'archive')!;
      const folder = 'Club';
      expect(folders.find((each) => each.path === folder)!.id < archive.id).toBe(true);
      const copy = { raw: plainMail(9), receivedAt: arrivalOf(9), flags: ['\\Seen'] };
      for (const path of [folder, archive.path]) await server.append(path, [copy]);
      await copied();
      const { path, plan } = await planned('subject:"Message 9"');
      expect(plan.offloadable).toBe(1);
      let moves = 0;
      jest.spyOn(ImapSession.prototype, 'move').mockImplementation(async function (this: ImapSession, ...to) {
        const moved = await move.apply(this, to);
        moves += 1;
        if (moves > 1) return moved;
        // It has come to the trash before, and has not left its folder yet.
        const listing = jest.spyOn(ImapSession.prototype, 'list').mockImplementation(async function (
          this: ImapSession,
          ...options
        ) {
          return (await list.apply(this, options)).map((each) =>
            each.path === 'Trash' ? { ...each, status: trash.status } : each,
          );
        });
        await lookBeside();
        listing.mockRestore();
        return moved;
      });
      const trash = await figuresOf('Trash');
      expect(await user.jobEnd(await confirm(path, plan))).toMatchObject({
        status: 'completed',
        result: { trashed: 1, blocked: 0 },
      });
      expect(moves).toBe(2);
      expect(await subjectsIn(server, folder)).toEqual([]);
      expect(await subjectsIn(server, archive.path)).toEqual([]);
      expect(await subjectsIn(server, 'Trash')).toContain('Message 9');
    });

    it('should not report a message as deleted that another program has moved to a folder', async () => {
      await server.append('Work', [{ raw: plainMail(10), receivedAt: arrivalOf(10), flags: ['\\Seen'] }]);
      await copied();
      const { path, plan } = await planned('subject:"Message 10"');
      expect(plan.offloadable).toBe(1);
      const other = await figuresOf('Other');
      const [{ seq }] = await app.dataSource.query(
        'SELECT coalesce(max(seq), 0) AS seq FROM imap_changes WHERE account_id = $1',
        [accountId],
      );
      const isCalledDeleted = async (): Promise<boolean> => {
        const found = await app.dataSource.query(
          `SELECT 1 FROM imap_changes WHERE account_id = $1 AND seq > $2 AND kind = 'deleted'`,
          [accountId, seq],
        );
        return found.length > 0;
      };
      await gate.close('offload_items', 'UPDATE', `NEW.state = 'trashing'`);
      const jobId = await confirm(path, plan);
      await gate.reached();
      await server.session(async (client) => {
        await client.mailboxOpen('Work');
        await client.messageMove({ subject: 'Message 10' }, 'Other');
      });
      // The server's figures of the folder are those of a moment ago.
      jest.spyOn(ImapSession.prototype, 'list').mockImplementation(async function (
        this: ImapSession,
        ...options
      ): Promise<ListedFolder[]> {
        const listed = await list.apply(this, options);
        if (await isCalledDeleted()) return listed;
        return listed.map((each) => (each.path === 'Other' ? { ...each, status: other.status } : each));
      });
      await gate.open();
      const ended = await user.jobEnd(jobId);
      expect(ended).toMatchObject({ status: 'completed', result: { trashed: 0, blocked: 1 } });
      expect(await isCalledDeleted()).toBe(true);
      expect(ended.result.blockedBy).toEqual({ 'changed-meanwhile': 1 });
      expect(await subjectsIn(server, 'Other')).toContain('Message 10');
    });

    /** The server's figures of a folder. */
    async function figuresOf(name: string): Promise<ListedFolder> {
      const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
      const listed = await app.app
        .get(ImapCalls)
        .run(account, { priority: 'interactive', command: 'LIST' }, ({ session }) => list.call(session));
      return listed.find(({ path }) => path === name)!;
    }
  });

  it('should leave a message in place when one of its places differs from the archive', async () => {
    const one = plainMail(8);
    // The same header, and as long.
    const other = Buffer.from(one.toString('latin1').replace('Body 8', 'Body 9'), 'latin1');
    for (const [folder, raw] of [
      ['Work', one],
      ['Other', other],
    ] as const)
      await server.session((client) => client.append(folder, raw, ['\\Seen'], arrivalOf(8)));
    await waitFor('it to be copied', async () => {
      await look();
      const { exact, pending, jobId } = (await user.api.get(`/api/archiving/${accountId}`)).body;
      return exact && pending === 0 && jobId === null;
    });
    const { path, plan } = await planned('subject:"Message 8"');
    expect(plan.offloadable).toBe(1);
    expect(await user.jobEnd(await confirm(path, plan))).toMatchObject({
      status: 'completed',
      result: { trashed: 0, blocked: 1, blockedBy: { 'provider-differs': 1 } },
    });
    expect((await folders())['Work']).toContain('Message 8');
    expect((await folders())['Other']).toContain('Message 8');
    expect(await subjectsIn(server, 'Trash')).not.toContain('Message 8');
  });
});
