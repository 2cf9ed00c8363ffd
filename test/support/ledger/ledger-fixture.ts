import { Transactions } from '../../../src/platform/database/transactions';
import { LedgerService } from '../../../src/keep/continuous/ledger/ledger.service';
import type { ProviderAccount } from '../../../src/providers/port/mailbox-provider.port';
import { HistoryReplay } from '../../../src/mailbox/index/history-replay';
import { MessageIndexService } from '../../../src/mailbox/index/message-index.service';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';
import { ArchiveFixture } from '../archive/archive-fixture';
import type { Providers, ServiceUser, TestedService } from '../tested-service';

/** A row of the ledger as it is stored. */
export interface LedgerRow {
  readonly id: string;
  readonly class: string;
  readonly detail: string;
  readonly labels: string[];
  readonly mailId: string | null;
  readonly verified: boolean;
  readonly bytes: number | null;
}

/** A connected mailbox with a coverage ledger, and what its tests need of both. */
export class LedgerFixture {
  private constructor(
    readonly app: TestedService,
    readonly archive: ArchiveFixture,
    readonly account: ProviderAccount,
  ) {}

  /** A mailbox whose ledger is exact. @param email `name-<count>@…` makes a mailbox of that many generated messages */
  static async start(
    app: TestedService,
    user: ServiceUser,
    email: string,
    mode = 'keep',
  ): Promise<LedgerFixture> {
    const archive = await ArchiveFixture.connect(app, user, email);
    const account = { id: archive.accountId, userId: user.id, email, provider: 'gmail' };
    const fixture = new LedgerFixture(app, archive, account);
    if (mode === 'off') return fixture;
    await fixture.switchOn(mode);
    await fixture.reconcile();
    return fixture;
  }

  get accountId(): string {
    return this.account.id;
  }

  get mailbox(): SandboxMailbox {
    return this.archive.mailbox;
  }

  get ledger(): LedgerService {
    return this.app.get(LedgerService);
  }

  get path(): string {
    return `/api/coverage/${this.accountId}`;
  }

  query(sql: string, ...parameters: unknown[]): Promise<any[]> {
    return this.app.dataSource.query(sql, [this.accountId, ...parameters]);
  }

  async switchOn(mode = 'keep'): Promise<void> {
    await this.app.get(Transactions).run(async (transaction) => {
      await transaction.manager.query(
        `INSERT INTO archiving_settings (account_id, mode) VALUES ($1, $2)
         ON CONFLICT (account_id) DO UPDATE SET mode = excluded.mode`,
        [this.accountId, mode],
      );
      await this.ledger.begin(this.account, transaction);
    });
  }

  async switchOff(): Promise<void> {
    await this.query(
      `UPDATE archiving_settings SET mode = 'off', exact = false, epoch = epoch + 1 WHERE account_id = $1`,
    );
    await this.ledger.clear(this.accountId);
  }

  /** Follows the history to its end. @returns the cursor */
  follow(app: Providers = this.app): Promise<string> {
    return app.get(MessageIndexService).sync(this.account, { priority: 'interactive' });
  }

  /** Replays the history since a cursor over the rows. */
  replay(since: string): Promise<unknown> {
    return this.app
      .get(MessageIndexService)
      .followFrom(this.account, since, () => undefined, { priority: 'interactive' });
  }

  /** Reconciles as the job does, with a listing by the test itself. */
  async reconcile(): Promise<boolean> {
    const cursor = await this.follow();
    const { epoch } = (await this.ledger.findState(this.accountId))!;
    const listed = this.mailbox.ids().map((id) => ({ id, labelIds: this.mailbox.labels(id) }));
    const present = new Set(listed.map(({ id }) => id));
    const gone = (await this.ledger.findIdsAfter(this.accountId, null, 100_000)).filter(
      (id) => !present.has(id),
    );
    let exact = false;
    await this.app.get(HistoryReplay).replayOver(
      this.account,
      { cursor },
      {
        before: async (transaction) => {
          await this.ledger.adopt(this.account, listed, transaction);
          await this.ledger.remove(this.account, gone, transaction);
        },
        after: async (transaction) => {
          const reconciled = { epoch, providerOffset: 0 };
          exact = await this.ledger.finishReconcile(this.account, reconciled, transaction);
        },
      },
    );
    return exact;
  }

  async rows(): Promise<Map<string, LedgerRow>> {
    const rows = await this.query(
      `SELECT message_id AS id, class, coalesce(exclusion, reason, '') AS detail, label_ids AS labels,
              mail_id AS "mailId", verified_on > '-infinity' AS verified, size_bytes::float8 AS bytes
         FROM ledger_messages WHERE account_id = $1 ORDER BY message_id`,
    );
    return new Map(
      rows.map((row) => [row.id as string, { ...row, labels: [...(row.labels as string[])].sort() }]),
    );
  }

  /** The totals the triggers keep, and the same counted from the rows; those of gone mail from the archive. */
  async totals(): Promise<{ kept: unknown[]; counted: unknown[] }> {
    const kept = await this.query(
      `SELECT class, detail, verified_on::text AS day, messages, bytes::int FROM ledger_totals
        WHERE account_id = $1 ORDER BY class, detail, day`,
    );
    const counted = await this.query(
      `SELECT class, coalesce(exclusion, reason, '') AS detail, verified_on::text AS day, count(*)::int AS messages,
              coalesce(sum(size_bytes), 0)::int AS bytes
         FROM ledger_messages WHERE account_id = $1 GROUP BY 1, 2, 3
        UNION ALL
       SELECT 'gone', '', '-infinity', count(*)::int, sum(size_bytes)::int
         FROM archived_mails WHERE account_id = $1 AND presence = 'gone' HAVING count(*) > 0
        ORDER BY class, detail, day`,
    );
    return { kept, counted };
  }
}

/** The mailbox itself: labels by message, spam and trash included. */
export const labelsOf = (mailbox: SandboxMailbox): Map<string, string[]> =>
  new Map(mailbox.ids().map((id) => [id, [...mailbox.labels(id)].sort()]));
