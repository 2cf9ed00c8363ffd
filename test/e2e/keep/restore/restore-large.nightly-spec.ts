import { randomBytes } from 'node:crypto';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { TestImapServer } from '../../../support/imap/imap-server';
import { DATE, mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

const MIB = 1024 * 1024;

jest.setTimeout(600_000);

describe('Restore of a very large mail', () => {
  let sut: TestApp;
  let imap: TestImapServer;
  let user: TestUser;

  beforeAll(async () => {
    [sut, imap] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 }, own: true }),
      TestImapServer.start(),
    ]);
    user = await sut.user();
  });

  afterAll(async () => {
    await Promise.all([sut?.close(), imap?.stop()]);
  });

  it('should restore 150 MB, byte for byte', async () => {
    const source = await RestoreFixture.connect(sut, user, 'large-0@sandbox.mailroom.test');
    const target = await RestoreFixture.connect(sut, user, 'largetarget-0@sandbox.mailroom.test');
    const lines = randomBytes(110 * MIB)
      .toString('base64')
      .replace(/.{76}/g, '$&\r\n');
    const raw = Buffer.concat([
      mail({ 'Content-Transfer-Encoding': 'base64' }, ''),
      Buffer.from(lines),
    ]).subarray(0, 150 * 1_000_000);
    const id = source.mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: DATE });
    await source.archive({ messageIds: [id] }, 300_000);
    const inserted = await source.restore({ select: { all: true }, target: { accountId: target.accountId } });
    expect(inserted.items[0]).toMatchObject({ outcome: 'inserted', notes: [], sha256: sha256(raw) });
    expect(target.mailbox.raw(target.mailbox.ids()[0]!).equals(raw)).toBe(true);
    const { host, port, user: name, pass } = imap;
    const appended = await source.restore({
      select: { all: true },
      target: { imap: { host, port, secure: false, user: name, pass, root: 'Large' } },
    });
    expect(appended.items[0]).toMatchObject({ outcome: 'inserted', notes: [] });
  });
});
