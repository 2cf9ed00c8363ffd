import { MessageIndexReader } from '../../../src/mailbox/index/message-index-reader';
import type { ProviderAccount } from '../../../src/providers/port/mailbox-provider.port';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import type { Providers, ServiceUser, TestedService } from '../tested-service';

const HIDDEN = ['SPAM', 'TRASH'];

export interface IndexRow {
  readonly id: string;
  readonly labels: readonly string[];
}

/** A connected mailbox with its index. */
export interface IndexedAccount {
  readonly account: ProviderAccount;
  readonly mailbox: SandboxMailbox;
  readonly user: ServiceUser;
}

/** A service of either tier, and the mailboxes of one of its users. */
export abstract class IndexFixture<S extends TestedService & { close(): Promise<void> }> {
  private mailboxes = 0;

  protected constructor(
    readonly sut: S,
    private readonly user: ServiceUser,
  ) {}

  /** Provider calls since the last look at them. */
  abstract calls(): Record<string, number>;

  close(): Promise<void> {
    return this.sut.close();
  }

  query(sql: string, parameters: unknown[] = []): Promise<any> {
    return this.sut.dataSource.query(sql, parameters);
  }

  async connect(messages: number): Promise<IndexedAccount> {
    const email = `index${(this.mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await this.user.connect(email);
    this.calls();
    return {
      account: { id, userId: this.user.id, email, provider: 'gmail' },
      mailbox: this.sut.mailbox(email),
      user: this.user,
    };
  }

  get mailboxIndex(): MessageIndexReader {
    return this.sut.get(MessageIndexReader);
  }

  ready(
    { account }: IndexedAccount,
    newest = 500,
    app: Providers = this.sut,
  ): Promise<{ complete: boolean }> {
    return app.get(MessageIndexReader).prepare(account, { priority: 'interactive', newest });
  }

  /** Lets the next reader follow the history, as two seconds would. */
  async age({ account }: IndexedAccount): Promise<void> {
    await this.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [account.id],
    );
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

  async newestIds({ account }: IndexedAccount, limit: number): Promise<string[]> {
    return (await this.mailboxIndex.listNewest(account, limit)).map(({ id }) => id);
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

  /** The newest job that indexes the mailbox, once it has ended. */
  async indexed(box: IndexedAccount, timeoutMs?: number): Promise<any> {
    const { jobId } = (await this.indexJobs(box)).at(-1)!;
    return box.user.jobEnd(jobId, timeoutMs);
  }

  /** Compares the index with the mailbox, message by message and label by label, after one more sync. */
  async expectExact(box: IndexedAccount): Promise<void> {
    await this.age(box);
    expect(await this.ready(box)).toEqual({ complete: true });
    expect(await this.rows(box)).toEqual(mailOf(box));
  }
}

/** A message to put into a mailbox. */
export const mail = (subject: string): string =>
  `From: Ann <ann@example.test>\r\nTo: me@example.test\r\nSubject: ${subject}\r\n\r\nhello\r\n`;

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
