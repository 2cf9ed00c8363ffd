import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { RestoreTimings } from '../../../../src/keep/restore/restore-timings';
import { startTestApp, type TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { InterceptingProxy } from '../../../support/imap/intercepting-proxy';
import { mail } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

jest.setTimeout(120_000);

const arrivalOf = (minutes: number): Date => new Date(Date.UTC(2024, 8, 8, 18, minutes, 40));

interface Stored {
  readonly hash: string;
  readonly flags: readonly string[];
  readonly date: Date;
}

describe('Restore to a connected IMAP mailbox', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let proxy: InterceptingProxy;
  let user: TestUser;
  let accountId: string;

  beforeAll(async () => {
    sut = await startTestApp();
    sut.tune(RestoreTimings, { settleMs: [20, 50] });
    sut.tune(GatewayTimings, { firstBackoffMs: 1, firstConcurrencyBackoffMs: 1 });
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await TestImapServer.start();
    proxy = await InterceptingProxy.before(server.port);
    user = await sut.user();
    const { port, certificate } = proxy;
    accountId = await connectImap(sut, user, server, { port, certificate: certificate.cert });
  });
  afterEach(async () => {
    await proxy.close();
    await server.stop();
  });

  const appends = (): number => proxy.said.filter((command) => command.startsWith('APPEND')).length;
  const done = async (path: string, body: object): Promise<any> => {
    const { status, body: answer, bytes } = await user.api.post(path, body);
    if (status !== 202) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
    return { ...answer, job: await user.jobEnd(answer.jobId as string, 60_000) };
  };
  const restored = async (): Promise<any> => {
    const body = { select: { all: true }, target: { accountId } };
    const { restoreId } = await done(`/api/restore/${accountId}`, body);
    const { job } = await done(`/api/restore/${accountId}/${restoreId}/start`, {});
    const { body: shown } = await user.api.get(`/api/restore/${accountId}/${restoreId}`);
    const { body: page } = await user.api.get(`/api/restore/${accountId}/${restoreId}/items`);
    return { ...shown, job, items: page.items };
  };
  const stored = (folder = 'INBOX'): Promise<Stored[]> =>
    server.session(async (client) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true });
      const found: Stored[] = [];
      if (exists === 0) return found;
      for await (const { source, flags, internalDate } of client.fetch('1:*', {
        source: true,
        flags: true,
        internalDate: true,
      }))
        found.push({ hash: sha256(source!), flags: [...flags!].sort(), date: new Date(internalDate!) });
      return found;
    });
  /** Archives messages that have arrived, and deletes them from the mailbox. */
  const archiveAndLose = async (raws: readonly Buffer[]): Promise<void> => {
    await server.append(
      'INBOX',
      raws.map((raw, minutes) => ({
        raw,
        receivedAt: arrivalOf(minutes),
        flags: ['\\Seen', '\\Answered', '$Label1', 'Todo'],
      })),
    );
    const { job } = await done(`/api/archive/${accountId}/archive`, { query: 'in:inbox' });
    expect(job).toMatchObject({ status: 'completed', failed: 0 });
    await server.session(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete('1:*');
    });
  };

  it('should restore the date of arrival and the keywords, whatever the Date header says', async () => {
    const raws = [mail(), mail({ Date: null }), mail({ Date: 'Fri, 21 Nov 1997 09:55:06 -0600' })];
    await archiveAndLose(raws);
    const { counts, notes, items } = await restored();
    expect(counts).toMatchObject({ inserted: 3, failed: 0 });
    expect(notes.dateDiffers).toBe(0);
    expect(items.map((item: any) => item.notes)).toEqual([[], [], []]);
    const there = await stored();
    expect(there.map(({ hash }) => hash).sort()).toEqual(raws.map(sha256).sort());
    const dates = there.map(({ date }) => date.getTime());
    expect(dates.sort()).toEqual([0, 1, 2].map((minutes) => arrivalOf(minutes).getTime()));
    for (const { flags } of there)
      expect(flags).toEqual(expect.arrayContaining(['$Label1', '\\Answered', '\\Seen', 'Todo']));
  });

  it('should add each mail once while the server throttles what follows the APPEND', async () => {
    const raws = [mail(), mail(), mail()];
    await archiveAndLose(raws);
    let throttled = 0;
    proxy.intercept = (command) => {
      if (appends() === 0 || throttled >= 12 || !/^(?:SELECT|UID FETCH)/.test(command)) return undefined;
      throttled += 1;
      return 'NO [LIMIT] Too many commands';
    };
    expect((await restored()).counts).toMatchObject({ inserted: 3, failed: 0 });
    expect(throttled).toBe(12);
    expect(appends()).toBe(3);
    expect((await stored()).map(({ hash }) => hash).sort()).toEqual(raws.map(sha256).sort());
  });

  it('should report that the mailbox is full, and not try larger mails again', async () => {
    const first = mail({}, 'x\r\n'.repeat(500));
    // Mails of one conversation follow each other.
    const [, References = ''] = /Message-ID: (<.*>)/.exec(first.toString('latin1')) ?? [];
    const [small, large] = [mail({ References }), mail({ References }, 'y\r\n'.repeat(5_000))];
    await archiveAndLose([first, small, large]);
    proxy.intercept = (command) =>
      /^APPEND .*\{(?:[1-9]\d{3,})\+?\}$/.test(command) ? 'NO [OVERQUOTA] Quota exceeded' : undefined;
    const { counts, items, job } = await restored();
    expect(counts).toMatchObject({ inserted: 1, failed: 2 });
    expect(items.map(({ outcome, reason }: any) => reason ?? outcome).sort()).toEqual([
      'inserted',
      'mailbox-full',
      'mailbox-full',
    ]);
    expect(appends()).toBe(2);
    expect(job.result.failures.map(({ reason }: any) => reason)).toEqual(
      Array.from({ length: 2 }, () => 'The mailbox is full: it takes no more mail.'),
    );
    // Once there is room, another restore adds what is missing.
    proxy.intercept = () => undefined;
    expect((await restored()).counts).toMatchObject({ inserted: 2, alreadyThere: 1 });
    expect(await stored()).toHaveLength(3);
  });

  it('should keep mails that differ only in bytes', async () => {
    const first = mail();
    const second = Buffer.from(first.toString('latin1').replace('Hello', 'Other'), 'latin1');
    await archiveAndLose([first, second]);
    expect((await restored()).counts).toMatchObject({ inserted: 2, alreadyThere: 0, sameIdDiffers: 0 });
    expect((await stored()).map(({ hash }) => hash).sort()).toEqual([first, second].map(sha256).sort());
    expect((await restored()).counts).toMatchObject({ inserted: 0, alreadyThere: 2 });
  });
});
