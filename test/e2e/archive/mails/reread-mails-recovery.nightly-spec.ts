import { KillableService } from '../../../support/killable-service';
import { importMbox, inMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MESSAGES = 4_000;

/** Archived mail that is read again by a service that is killed meanwhile, with its own schedule. */
describe('Archived mail of an earlier reader, in a service that is killed', () => {
  let service: KillableService;
  let user: TestUser;

  beforeAll(async () => {
    service = await KillableService.start();
    user = await service.user();
  });
  afterAll(() => service?.close());

  it('should be read to the end after the next start', async () => {
    const accountId = await user.connect('reread-0@sandbox.mailroom.test');
    const message = (number: number): string =>
      inMbox(
        `From: a@example.com\nSubject: number ${number}\nMessage-ID: <${number}@example.com>\n` +
          `Date: Tue, 19 Mar 2019 09:13:51 +0000\n\n${`line of ${number}\n`.repeat(300)}`,
      );
    await importMbox(user, accountId, Array.from({ length: MESSAGES }, (_, n) => message(n)).join(''));
    const rows = (): Promise<any[]> =>
      service.query('SELECT * FROM archived_mails WHERE account_id = $1 ORDER BY id', [accountId]);
    const before = await rows();
    await service.query(
      `UPDATE archived_mails SET reader_version = 0, subject = '?', snippet = '' WHERE account_id = $1`,
      [accountId],
    );
    await service.query(`UPDATE account_chores SET due_at = now() WHERE chore = 'reread_mails'`);
    const left = async (): Promise<number> => {
      const [row] = await service.query(
        'SELECT count(*)::int AS count FROM archived_mails WHERE account_id = $1 AND reader_version = 0',
        [accountId],
      );
      return row.count as number;
    };
    await waitFor(
      'the work to be midway',
      async () => ((await left()) < MESSAGES ? true : undefined),
      60_000,
    );
    await service.kill();
    const atKill = await left();
    expect(atKill).toBeGreaterThan(0);
    expect(atKill % 100).toBe(0);
    await service.begin();
    await waitFor('the rest to be read', async () => ((await left()) === 0 ? true : undefined), 120_000);
    expect(await rows()).toEqual(before);
  }, 300_000);
});
