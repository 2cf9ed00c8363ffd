import type { Transaction } from '../../../../src/platform/database/transactions';
import { MessageIndexModule } from '../../../../src/mailbox/index/message-index.module';
import { MessageIndexRepository } from '../../../../src/mailbox/index/message-index.repository';
import { startFeature, type Feature } from '../../../support/medium/feature';

const TABLES = ['mailbox_messages', 'mailbox_listings'];
const ROWS = 3_000;
/** Pages read per row, at most; reading a whole listing for each would be dozens. */
const PAGES_PER_ROW = 30;

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

describe('Comparing an index with listings', () => {
  let sut: Feature;

  beforeAll(async () => {
    sut = await startFeature({ modules: [MessageIndexModule] });
    // Nothing else makes statistics.
    for (const table of TABLES) await query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  });
  afterAll(async () => {
    // The next spec gets the same tables.
    for (const table of TABLES) await query(`ALTER TABLE ${table} RESET (autovacuum_enabled)`);
    await sut.close();
  });

  const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
    sut.dataSource.query(sql, parameters);

  const fill = async (accountId: string): Promise<void> => {
    await query(
      `INSERT INTO mailbox_messages (account_id, message_id, thread_id, internal_date, date, subject, "from", "to",
         sender_email, sender_name, size_estimate, snippet, label_ids, has_attachments, stale)
       SELECT $1, to_hex(n), to_hex(n), now(), '', '', '', '', 'a@b.test', '', 1, '', '{INBOX}', false, true
       FROM generate_series(1, $2::int) n`,
      [accountId, ROWS],
    );
    for (const label of ['', 'INBOX', 'UNREAD']) {
      await query(
        `INSERT INTO mailbox_listings (account_id, run, message_id, label_id)
         SELECT $1, 'run', to_hex(n), $2 FROM generate_series(1, $3::int) n`,
        [accountId, label, ROWS],
      );
    }
  };

  it('should look each row up by its key, even with statistics from before the listing was made', async () => {
    const user = await sut.user();
    const [earlier, later] = [
      await user.connect('a-1@sandbox.mailroom.test'),
      await user.connect('b-1@sandbox.mailroom.test'),
    ];
    await fill(earlier);
    await query(`ANALYZE ${TABLES.join(', ')}`);
    await fill(later);

    const plans: Plan[] = [];
    const explain = async (sql: string, parameters: unknown[]): Promise<unknown> => {
      const [row] = await query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
      plans.push(row['QUERY PLAN'][0].Plan);
      return [[], 0];
    };
    const transaction = { manager: { query: explain } } as unknown as Transaction;
    await sut.get(MessageIndexRepository).verifyListed({ accountId: later, run: 'run' }, ROWS, transaction);

    const [{ left }] = await query(
      'SELECT count(*)::int AS left FROM mailbox_messages WHERE account_id = $1 AND stale',
      [later],
    );
    expect(left).toBe(0);
    const pages = plans[0]!['Shared Hit Blocks'] + plans[0]!['Shared Read Blocks'];
    expect(pages).toBeGreaterThan(ROWS);
    expect(pages).toBeLessThan(ROWS * PAGES_PER_ROW);
  });
});
