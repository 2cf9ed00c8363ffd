import type { NestExpressApplication } from '@nestjs/platform-express';
import { MessageIndexReader } from '../../../src/mailbox/index/message-index-reader';
import type { ProviderAccount } from '../../../src/providers/port/mailbox-provider.port';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../app';
import type { TestUser } from '../test-user';

const HIDDEN = ['SPAM', 'TRASH'];

export interface IndexRow {
  readonly id: string;
  readonly labels: readonly string[];
}

/** A connected mailbox with its index. */
export interface IndexedAccount {
  readonly account: ProviderAccount;
  readonly mailbox: SandboxMailbox;
  readonly user: TestUser;
}

/** The service over a sandbox, with further processes beside it. */
export class IndexFixture {
  private readonly others: NestExpressApplication[] = [];
  private mailboxes = 0;
  private user: TestUser;

  private constructor(readonly sut: TestApp) {}

  static async start(
    role: 'all' | 'api',
    options: Parameters<typeof startTestApp>[0] = {},
  ): Promise<IndexFixture> {
    const sut = await startTestApp({ ...options, env: { ROLE: role, ...options.env } });
    const fixture = new IndexFixture(sut);
    fixture.user = await sut.user();
    await fixture.query('UPDATE users SET max_mailbox_accounts = 100');
    return fixture;
  }

  async close(): Promise<void> {
    for (const other of this.others) await other.close();
    await this.sut.close();
  }

  query(sql: string, parameters: unknown[] = []): Promise<any> {
    return this.sut.dataSource.query(sql, parameters);
  }

  /** Another process of the service, as far as it concerns an account; closing it early is fine. */
  async another(role: 'all' | 'api' | 'worker' = 'api'): Promise<NestExpressApplication> {
    const { app } = await this.sut.another({ ROLE: role });
    this.others.push(app);
    return app;
  }

  async connect(messages: number): Promise<IndexedAccount> {
    const email = `index${(this.mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await this.user.connect(email);
    this.sut.sandbox.stats.reset();
    return {
      account: { id, userId: this.user.id, email, provider: 'gmail' },
      mailbox: this.sut.sandbox.mailbox(email),
      user: this.user,
    };
  }

  get mailboxIndex(): MessageIndexReader {
    return this.sut.app.get(MessageIndexReader);
  }

  ready({ account }: IndexedAccount, newest = 500, app = this.sut.app): Promise<{ complete: boolean }> {
    return app.get(MessageIndexReader).prepare(account, { priority: 'interactive', newest });
  }

  /** Lets the next reader follow the history, as two seconds would. */
  async age({ account }: IndexedAccount): Promise<void> {
    await this.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [account.id],
    );
  }

  /** Provider calls since the last sync; a batch is counted by its parts. */
  calls(): Record<string, number> {
    const { batch: _wholes, ...parts } = this.sut.sandbox.stats.calls;
    this.sut.sandbox.stats.reset();
    return parts;
  }

  /** The rows of the index that must be the same, however it was built. */
  async rows({ account }: IndexedAccount): Promise<IndexRow[]> {
    const rows: IndexRow[] = await this.query(
      `SELECT message_id AS id, label_ids AS labels FROM mailbox_messages
       WHERE account_id = $1 AND NOT stale AND NOT label_ids && '{SPAM,TRASH}'`,
      [account.id],
    );
    return sorted(rows);
  }

  async state({ account }: IndexedAccount): Promise<any> {
    const [state] = await this.query('SELECT * FROM mailbox_index_states WHERE account_id = $1', [
      account.id,
    ]);
    return state;
  }

  async indexJobs({ account }: IndexedAccount): Promise<{ jobId: string; status: string }[]> {
    return this.query(
      `SELECT type || '-' || number AS "jobId", status FROM jobs
       WHERE mailbox_account_id = $1 AND type = 'index_mailbox' ORDER BY number`,
      [account.id],
    );
  }
}

/** An independent count of the mailbox, without spam and trash. */
export function mailOf({ mailbox }: IndexedAccount): IndexRow[] {
  return sorted(
    mailbox
      .ids()
      .map((id) => ({ id, labels: mailbox.labels(id) }))
      .filter(({ labels }) => !labels.some((label) => HIDDEN.includes(label))),
  );
}

/** Ids of the mailbox, newest first, but spam and trash. */
export const idsOf = ({ mailbox }: IndexedAccount): string[] =>
  mailbox.ids().filter((id) => !mailbox.labels(id).some((label) => HIDDEN.includes(label)));

function sorted(rows: readonly IndexRow[]): IndexRow[] {
  return rows
    .map(({ id, labels }) => ({ id, labels: [...labels].sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
