import { DeleteMailboxDataHandler } from '../../../../src/operations/account-deletion/delete-mailbox-data.job';
import { MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedIds } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { bareJob } from '../../../support/jobs/bare-job';

jest.setTimeout(1_800_000);

const MESSAGES = 1_000_000;
/** Rows that a statement deletes at most. */
const BATCH = 5_000;

describe('The index of a disconnected IMAP mailbox of a million messages', () => {
  let sut: TestApp;
  let server: TestImapServer;

  beforeAll(async () => {
    sut = await startTestApp({ own: true });
    server = await TestImapServer.start();
  });
  afterAll(async () => {
    await server?.stop();
    await sut?.close();
  });

  it('should be deleted in statements of limited size', async () => {
    await server.append('INBOX', [{ raw: plainMail(1), receivedAt: arrivalOf(1) }]);
    const user = await sut.user();
    const accountId = await connectImap(sut, user, server);
    const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
    expect(await listedIds(sut.app.get(MailboxProviders).forAccount(account))).toHaveLength(1);
    for (const table of ['imap_messages', 'imap_places'])
      await sut.dataSource.query(
        `INSERT INTO ${table}
         SELECT copy.* FROM (SELECT * FROM ${table} WHERE account_id = $1) model
          CROSS JOIN generate_series(1, $2::int) number
          CROSS JOIN LATERAL jsonb_populate_record(model.*::${table},
            jsonb_build_object('message_id', 'copy-' || number, 'uid', 1000 + number)) copy`,
        [accountId, MESSAGES],
      );
    const rows = async (): Promise<number> => {
      const [{ count }] = await sut.dataSource.query(
        `SELECT (SELECT count(*) FROM imap_messages WHERE account_id = $1)
              + (SELECT count(*) FROM imap_places WHERE account_id = $1) AS count`,
        [accountId],
      );
      return Number(count);
    };
    expect(await rows()).toBe(2 * (MESSAGES + 1));
    await sut.dataSource.query(`UPDATE mailbox_accounts SET status = 'disconnected' WHERE id = $1`, [
      accountId,
    ]);

    let batches = 0;
    const owner = { userId: user.id, accountId };
    const job = bareJob('delete_mailbox_data', owner, { throwIfCancelled: () => void (batches += 1) });
    const { rows: deleted } = (await sut.app.get(DeleteMailboxDataHandler).run({}, job)) as { rows: number };
    expect(await rows()).toBe(0);
    expect(deleted).toBeGreaterThanOrEqual(2 * MESSAGES);
    expect(deleted / batches).toBeLessThanOrEqual(BATCH);
  });
});
