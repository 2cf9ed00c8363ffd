import { ImapFlow } from 'imapflow';
import { sha256 } from '../../../support/archive/archive-fixture';
import { TestImapServer } from '../../../support/imap/imap-server';
import { KillableService } from '../../../support/killable-service';
import { copiesOf, DATE, mail } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

/** 10,000 of them take ten minutes. */
const MAILS = Number(process.env.RESTORED_MAILS ?? 400);
const KILLS = 20;
const QUOTA_OFF = { PROVIDER_UNITS_PER_SECOND: '1000000', PROVIDER_UNITS_PER_MINUTE: '60000000' };

jest.setTimeout(1_200_000);

/** Mails with Message-ID and without, in conversations of four. */
const mails = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) => mail(n % 5 === 0 ? { 'Message-ID': null } : {}, `Text ${n}\r\n`));

describe('A restore whose process is killed repeatedly', () => {
  let sut: KillableService;
  let imap: TestImapServer;
  let user: TestUser;
  let accountId: string;
  let raws: Buffer[];

  beforeAll(async () => {
    [sut, imap] = await Promise.all([
      KillableService.start({ environment: QUOTA_OFF }),
      TestImapServer.start(),
    ]);
    user = await sut.user();
    accountId = await user.connect('kills-0@sandbox.mailroom.test');
    raws = mails(MAILS);
    const mailbox = sut.sandbox.mailbox('kills-0@sandbox.mailroom.test');
    const messageIds = raws.map((raw) => mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: DATE }));
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds });
    expect(await user.jobEnd(body.jobId as string, 300_000)).toMatchObject({ processed: MAILS, failed: 0 });
  });

  afterAll(async () => {
    await Promise.all([sut?.close(), imap?.stop()]);
  });

  async function killDuring(target: object, there: () => Promise<number>): Promise<any> {
    const path = `/api/restore/${accountId}`;
    const planned = await user.api.post(path, { select: { all: true }, target });
    await user.jobEnd(planned.body.jobId as string, 120_000);
    const restorePath = `${path}/${planned.body.restoreId as string}`;
    const { body } = await user.api.post(`${restorePath}/start`);
    for (let kill = 1; kill <= KILLS; kill++) {
      const wanted = Math.min(MAILS - 5, Math.floor((kill * MAILS) / (KILLS + 1)));
      await waitFor(`${wanted} mails`, async () => (await there()) >= wanted || undefined, 120_000, 10);
      await sut.kill();
      await sut.begin();
    }
    const job = await user.jobEnd(body.jobId as string, 300_000);
    return { job, restore: (await user.api.get(restorePath)).body };
  }

  it('should lose and duplicate nothing in a mailbox', async () => {
    const email = 'killstarget-0@sandbox.mailroom.test';
    const target = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    const { job, restore } = await killDuring({ accountId: target }, () =>
      Promise.resolve(mailbox.ids().length),
    );
    expect(job).toMatchObject({ status: 'completed', processed: MAILS, failed: 0 });
    expect(restore).toMatchObject({ status: 'done', counts: { waiting: 0, failed: 0 } });
    const copies = copiesOf(mailbox);
    expect([...copies.values()].filter((count) => count !== 1)).toEqual([]);
    expect([...copies.keys()].sort()).toEqual(raws.map(sha256).sort());
  });

  it('should lose and duplicate nothing on an IMAP server', async () => {
    const { host, port, user: name, pass } = imap;
    const folder = 'Kills/INBOX';
    const count = (): Promise<number> =>
      imap.session(async (client: ImapFlow) => {
        const listed = (await client.list()).some(({ path }) => path === folder);
        return listed ? (await client.mailboxOpen(folder, { readOnly: true })).exists : 0;
      });
    const target = { imap: { host, port, secure: false, user: name, pass, root: 'Kills' } };
    const { job } = await killDuring(target, count);
    expect(job).toMatchObject({ status: 'completed', processed: MAILS, failed: 0 });
    const hashes = await imap.session(async (client) => {
      await client.mailboxOpen(folder, { readOnly: true });
      const found: string[] = [];
      for await (const { source } of client.fetch('1:*', { source: true })) found.push(sha256(source!));
      return found;
    });
    expect(hashes.sort()).toEqual(raws.map(sha256).sort());
  });
});
