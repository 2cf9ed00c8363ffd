import type { ImapFlow } from 'imapflow';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { RestoreTimings } from '../../../../src/keep/restore/restore-timings';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { TestImapServer } from '../../../support/imap/imap-server';
import { DATE, mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import { LossyProxy } from '../../../support/restore/lossy-proxy';
import type { TestUser } from '../../../support/test-user';

jest.setTimeout(120_000);

interface Stored {
  readonly raw: Buffer;
  readonly flags: readonly string[];
  readonly date: Date;
}

describe('Restore to an IMAP server', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let user: TestUser;
  let source: RestoreFixture;
  let roots = 0;
  let root: string;

  beforeAll(async () => {
    [sut, server] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestImapServer.start()]);
    sut.tune(RestoreTimings, { settleMs: [20, 50] });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });

  afterAll(async () => {
    await Promise.all([sut?.close(), server?.stop()]);
  });

  beforeEach(async () => {
    root = `Back/${(roots += 1)}`;
    source = await RestoreFixture.connect(sut, user, `imap${roots}-0@sandbox.mailroom.test`);
  });

  const imap = (changes: object = {}): object => ({
    host: server.host,
    port: server.port,
    secure: false,
    user: server.user,
    pass: server.pass,
    root,
    ...changes,
  });
  const into = (changes: object = {}): object => ({ select: { all: true }, target: { imap: imap(changes) } });

  const stored = (folder: string): Promise<Stored[]> =>
    server.session(async (client: ImapFlow) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true });
      const found: Stored[] = [];
      if (exists === 0) return found;
      for await (const { source: raw, flags, internalDate } of client.fetch('1:*', {
        source: true,
        flags: true,
        internalDate: true,
      }))
        found.push({ raw: raw!, flags: [...flags!].sort(), date: new Date(internalDate!) });
      return found;
    });

  const folders = (): Promise<string[]> =>
    server.session(async (client) => (await client.list()).map(({ path }) => path).sort());

  it('should put each mail into its folder, with its bytes, date and flags', async () => {
    const [inbox, sent, filed, kept] = [mail(), mail(), mail({}, 'caf\xe9\r\n'), mail()];
    const { body: label } = await user.api.post(`/api/mailbox/${source.accountId}/labels`, {
      name: 'Work/2018',
    });
    const ids = [
      source.put(inbox, { labelIds: ['INBOX', 'UNREAD', 'STARRED'] }),
      source.put(sent, { labelIds: ['SENT'] }),
      source.put(filed, { labelIds: [] }),
      source.put(kept, { labelIds: [] }),
    ];
    source.mailbox.changeLabels(ids[2]!, { add: [label.id as string] });
    await source.archive({ messageIds: ids });
    const restoreId = await source.plan(into());
    const shown = await source.shown(restoreId);
    expect(shown).toMatchObject({
      mails: 4,
      units: null,
      minutes: null,
      labelsToCreate: [`${root}/Archive`, `${root}/INBOX`, `${root}/Sent`, `${root}/Work/2018`],
      imap: { host: server.host, user: server.user, root },
    });
    expect(JSON.stringify(shown)).not.toContain(server.pass);
    expect((await folders()).filter((path) => path.startsWith(root))).toEqual([]);

    const job = await user.jobEnd(await source.start(restoreId));
    expect(job).toMatchObject({ status: 'completed', processed: 4, failed: 0 });
    expect((await source.items(restoreId)).map(({ outcome, notes }) => ({ outcome, notes }))).toEqual(
      Array.from({ length: 4 }, () => ({ outcome: 'inserted', notes: [] })),
    );
    for (const [folder, raw, flags] of [
      ['INBOX', inbox, ['\\Flagged']],
      ['Sent', sent, ['\\Seen']],
      ['Work/2018', filed, ['\\Seen']],
      ['Archive', kept, ['\\Seen']],
    ] as const) {
      const found = await stored(`${root}/${folder}`);
      expect(found.map(({ raw: each }) => sha256(each))).toEqual([sha256(raw)]);
      expect(found[0]!.flags.filter((flag) => flag !== '\\Recent')).toEqual(flags);
      expect(found[0]!.date).toEqual(DATE);
    }
    // The password is not kept any longer.
    const [row] = await sut.dataSource.query('SELECT sealed_password FROM restores WHERE id = $1', [
      restoreId,
    ]);
    expect(row.sealed_password).toBeNull();
  });

  it('should use the folders of the user without a root, and add nothing twice', async () => {
    await source.archive({ messageIds: [source.put(mail(), { labelIds: ['SENT'] })] });
    const own = into({ root: null });
    const before = (await stored('Sent')).length;
    expect((await source.restore(own)).counts).toMatchObject({ inserted: 1 });
    expect((await source.restore(own)).counts).toMatchObject({ inserted: 0, alreadyThere: 1 });
    // Somebody else's copy, with a Message-ID or without.
    const nameless = mail({ 'Message-ID': null });
    await server.append('Sent', [{ raw: nameless, receivedAt: DATE }]);
    await source.archive({ messageIds: [source.put(nameless, { labelIds: ['SENT'] })] });
    expect((await source.restore(own)).counts).toMatchObject({ inserted: 0, alreadyThere: 2 });
    expect(await stored('Sent')).toHaveLength(before + 2);
  });

  it('should not confuse mails of the same size and date', async () => {
    const raws = [
      ...['one', 'two', 'six', 'ten'].map((text) =>
        mail({ 'Message-ID': null, Subject: 'None' }, `${text}\r\n`),
      ),
      // Servers cannot be asked for these.
      ...['red', 'sky'].map((text) =>
        mail({ 'Message-ID': `<caf\xe9 ${text}@restore.test>`, Subject: 'None' }),
      ),
    ];
    await source.insertAndArchive(...raws);
    expect((await source.restore(into())).counts).toMatchObject({ inserted: 6, sameIdDiffers: 0 });
    const found = await stored(`${root}/INBOX`);
    expect(found.map(({ raw }) => sha256(raw)).sort()).toEqual(raws.map(sha256).sort());
    expect((await source.restore(into())).counts).toMatchObject({ inserted: 0, alreadyThere: 6 });
  });

  it('should report how a server changes line ends, and which labels do not fit', async () => {
    const bare = Buffer.from(mail().toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    await source.insertAndArchive(bare);
    const { items } = await source.restore({ ...into(), addLabel: 'Restored' });
    expect(items[0].outcome).toBe('inserted');
    expect(items[0].notes.sort()).toEqual(['bytes-differ', 'label-refused']);
    expect((await source.restore(into())).counts).toMatchObject({ alreadyThere: 1 });
  });

  it('should not add a mail again whose answer was lost', async () => {
    const raws = [mail(), mail({ 'Message-ID': null }), mail()];
    await source.insertAndArchive(...raws);
    const proxy = await LossyProxy.before(server.port);
    try {
      const restoreId = await source.plan(into({ port: proxy.port }));
      // The server has the whole message by then; its answer does not come back.
      proxy.lose(/APPENDUID/, 2);
      const job = await user.jobEnd(await source.start(restoreId));
      expect(job).toMatchObject({ status: 'completed', processed: 3, failed: 0 });
      expect(proxy.lost).toBe(2);
    } finally {
      await proxy.close();
    }
    const found = await stored(`${root}/INBOX`);
    expect(found.map(({ raw }) => sha256(raw)).sort()).toEqual(raws.map(sha256).sort());
  });

  it('should restore mail with an equal hash: from the archive to IMAP, and by import to an archive', async () => {
    const raws = [mail(), mail({ Subject: 'caf\xe9' }, 'x\r\n'.repeat(5_000)), mail({}, '')];
    await source.insertAndArchive(...raws);
    await source.restore(into());
    const again = await RestoreFixture.connect(sut, user, `again${roots}-0@sandbox.mailroom.test`);
    const { body } = await user.api.post(`/api/import/${again.accountId}/imap`, {
      ...imap(),
      root: undefined,
      folder: `${root}/INBOX`,
    });
    await user.jobEnd(body.jobId as string);
    const hashes = [...(await again.rows()).values()].map((row) => row.sha256 as string);
    expect(hashes.sort()).toEqual(raws.map(sha256).sort());
  });

  it('should fail with the problem of the server', async () => {
    await source.insertAndArchive(mail());
    const attempt = async (changes: object): Promise<any> => {
      const { body } = await user.api.post(source.restorePath, into(changes));
      return user.jobEnd(body.jobId as string);
    };
    const wrong = await attempt({ pass: 'wrong' });
    expect(wrong).toMatchObject({ status: 'failed', error_code: 'imap-login-failed' });
    expect(JSON.stringify(wrong)).not.toContain('"wrong"');
    expect(await attempt({ port: 1 })).toMatchObject({ error_code: 'imap-host-unreachable' });
  });

  it('should refuse private addresses where they are not allowed', async () => {
    await source.insertAndArchive(mail());
    const restoreId = await source.plan(into());
    const { egress } = sut.app.get<{ egress: { allowPrivateNetworks: boolean } }>(AppConfig);
    Object.assign(egress, { allowPrivateNetworks: false });
    try {
      const { status, body } = await user.api.post(source.restorePath, into());
      expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field: 'target.imap.host' });
      const job = await user.jobEnd(await source.start(restoreId));
      expect(job).toMatchObject({ status: 'failed', error_code: 'address-refused' });
    } finally {
      Object.assign(egress, { allowPrivateNetworks: true });
    }
  });
});
