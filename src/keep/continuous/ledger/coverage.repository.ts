import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape, typedRows } from '../../../platform/database/row-shape';
import { ARCHIVING_MODES, type ArchivingMode } from '../settings/archiving-settings.entity';
import type { CoverageClass, LedgerTotal } from './coverage-figures';
import { hasIncompleteFolders, incompleteFolders } from '../settings/incomplete-folders';
import { LedgerTotalsEntity, type StoredClass } from './ledger.entity';

/** State of a ledger. */
export interface LedgerHead {
  readonly mode: ArchivingMode;
  readonly exact: boolean;
  /** Paths of folders that are not read, or not wholly: it is not exact then. */
  readonly incompleteFolders: readonly string[];
  /** Cursor of the change history, and when it was read to its end; null: not read yet. */
  readonly historyId: string | null;
  readonly at: Date | null;
  readonly providerTotal: number | null;
  readonly providerAgreed: boolean | null;
  readonly providerCheckedAt: Date | null;
}

const HEAD: RowShape<LedgerHead> = {
  mode: column.oneOf(ARCHIVING_MODES),
  exact: column.boolean,
  incompleteFolders: column.array(column.text),
  historyId: column.nullable(column.text),
  at: column.nullable(column.date),
  providerTotal: column.nullable(column.number),
  providerAgreed: column.nullable(column.boolean),
  providerCheckedAt: column.nullable(column.date),
};
const HEAD_COLUMNS = `kept.mode,
  kept.exact AND state.account_id IS NOT NULL AND NOT ${hasIncompleteFolders('kept.account_id')} AS exact,
  ${incompleteFolders('kept.account_id')} AS "incompleteFolders", state.cursor AS "historyId",
  state.synced_at AS at, kept.provider_total AS "providerTotal", kept.provider_agreed AS "providerAgreed",
  kept.provider_checked_at AS "providerCheckedAt"`;
const HEAD_OF = `archiving_settings kept
    JOIN mailbox_accounts account ON account.id = kept.account_id
    LEFT JOIN mailbox_index_states state ON state.account_id = kept.account_id`;

export interface LedgerOverview extends LedgerHead {
  readonly totals: readonly LedgerTotal[];
}

/** The overview of one of all accounts, with what operators look at. */
export interface OperatorOverview extends LedgerOverview {
  readonly accountId: string;
  readonly userId: string;
  readonly unhealthySince: Date | null;
}

const TOTAL: RowShape<LedgerTotal> = {
  class: column.oneOf(['archived', 'excluded', 'failed', 'pending', 'gone']),
  detail: column.text,
  isVerified: column.boolean,
  messages: column.number,
  bytes: column.number,
};
const TOTAL_COLUMNS = `totals.class, totals.detail, totals.verified_on >= ${verifiedSince('kept')} AS "isVerified",
  totals.messages, totals.bytes::float8 AS bytes`;

/** The first day on which a verification still counts. */
function verifiedSince(settings: string): string {
  return `(clock_timestamp() AT TIME ZONE 'UTC')::date - ${settings}.verify_days`;
}

/** The same of account $1, as a value that a search of the index begins with. */
const VERIFIED_SINCE = `(SELECT ${verifiedSince('own')} FROM archiving_settings own WHERE own.account_id = $1)`;

/** A message of the ledger. */
export interface CoveredMessage {
  readonly messageId: string;
  readonly class: CoverageClass;
  readonly exclusion: string | null;
  readonly reason: string | null;
  readonly attempts: number;
  readonly nextTryAt: Date | null;
  readonly mailId: string | null;
  /** A day; null: never. */
  readonly verifiedOn: string | null;
  readonly labels: string[];
}

const COVERED_MESSAGE: RowShape<CoveredMessage> = {
  messageId: column.text,
  class: column.oneOf(['verified', 'archived', 'excluded', 'failed', 'pending']),
  exclusion: column.nullable(column.text),
  reason: column.nullable(column.text),
  attempts: column.number,
  nextTryAt: column.nullable(column.date),
  mailId: column.nullable(column.text),
  verifiedOn: column.nullable(column.text),
  labels: column.array(column.text),
};
const MESSAGE_COLUMNS = `l.message_id AS "messageId",
  CASE WHEN l.class = 'archived' AND l.verified_on >= ${verifiedSince('kept')} THEN 'verified' ELSE l.class END AS class,
  l.exclusion, l.reason, l.attempts, greatest(l.due_at, l.lease_until) AS "nextTryAt", l.mail_id AS "mailId",
  CASE WHEN l.verified_on > '-infinity' THEN l.verified_on::text END AS "verifiedOn", l.label_ids AS labels`;

/** Start of a page of messages: after this message of that day. */
export interface MessagePosition {
  /** Timestamp as PostgreSQL writes it. */
  readonly verifiedOn: string;
  readonly messageId: string;
}

export interface MessageFilter {
  readonly class: CoverageClass | null;
  readonly exclusion: string | null;
  readonly reason: string | null;
}

const POSITION: RowShape<{ position: string }> = { position: column.text };

/** A message that a user may delete from the mailbox, and what is known of it and its copy. */
export interface MessageEvidence {
  readonly messageId: string;
  /** null: the ledger does not have it. */
  readonly class: CoverageClass | null;
  readonly reason: string | null;
  readonly labels: readonly string[];
  /** null: there is no archived mail of the message. */
  readonly mailId: string | null;
  /** The later of the mail's date and its arrival. */
  readonly mailAgeingFrom: Date | null;
  readonly mailLabels: readonly string[] | null;
  readonly isGone: boolean;
}

const EVIDENCE: RowShape<MessageEvidence> = {
  messageId: column.text,
  class: column.nullable(COVERED_MESSAGE.class),
  reason: column.nullable(column.text),
  labels: column.array(column.text),
  mailId: column.nullable(column.text),
  mailAgeingFrom: column.nullable(column.date),
  mailLabels: column.nullable(column.array(column.text)),
  isGone: column.boolean,
};

/** Which index answers a filter, by the stored class. */
const STORED: Readonly<Record<CoverageClass, StoredClass>> = {
  verified: 'archived',
  archived: 'archived',
  excluded: 'excluded',
  failed: 'failed',
  pending: 'pending',
};

/** Reads the ledger: no message is counted here, and no page reads more rows than it shows, but for rare reasons. */
@Injectable()
export class CoverageRepository extends BaseRepository<LedgerTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, LedgerTotalsEntity);
  }

  /** In one statement, so that totals and cursor belong together; null: never on, or not the user's. */
  async findOverview(userId: string, accountId: string): Promise<LedgerOverview | null> {
    const rows = await this.queryRows(
      { ...HEAD, ...nullable(TOTAL) },
      `SELECT ${HEAD_COLUMNS}, ${TOTAL_COLUMNS} FROM ${HEAD_OF}
         LEFT JOIN ledger_totals totals ON totals.account_id = kept.account_id
        WHERE kept.account_id = $1 AND account.user_id = $2`,
      [accountId, userId],
    );
    const [head] = rows;
    return head ? { ...head, totals: totalsOf(rows) } : null;
  }

  /** Lists the coverage of all accounts whose ledger is on, for operators. */
  async findOverviews(): Promise<OperatorOverview[]> {
    const rows = await this.queryRows(
      {
        ...HEAD,
        ...nullable(TOTAL),
        accountId: column.text,
        userId: column.text,
        unhealthySince: column.nullable(column.date),
      },
      `SELECT ${HEAD_COLUMNS}, ${TOTAL_COLUMNS}, kept.account_id AS "accountId", account.user_id AS "userId",
              kept.unhealthy_since AS "unhealthySince"
         FROM ${HEAD_OF} LEFT JOIN ledger_totals totals ON totals.account_id = kept.account_id
        WHERE kept.mode <> 'off' ORDER BY kept.account_id`,
    );
    const byAccount = new Map<string, typeof rows>();
    for (const row of rows) byAccount.set(row.accountId, [...(byAccount.get(row.accountId) ?? []), row]);
    return [...byAccount.values()].map((some) => ({ ...some[0]!, totals: totalsOf(some) }));
  }

  /** Messages of all ledgers by class. */
  async countByClass(): Promise<{ class: CoverageClass; messages: number }[]> {
    return this.queryRows(
      { class: COVERED_MESSAGE.class, messages: column.number },
      `SELECT CASE WHEN totals.class = 'archived' AND totals.verified_on >= ${verifiedSince('kept')} THEN 'verified'
                   ELSE totals.class END AS class,
              sum(totals.messages)::float8 AS messages
         FROM ledger_totals totals JOIN archiving_settings kept ON kept.account_id = totals.account_id
        WHERE kept.mode <> 'off' AND totals.class <> 'gone' GROUP BY 1`,
    );
  }

  /**
   * A page of messages by id, or of one class by the day of verification and id.
   * @param after null: from the first. @returns `next`: where the next page begins; null: there is none
   */
  async findPage(
    accountId: string,
    filter: MessageFilter,
    after: MessagePosition | null,
    limit: number,
  ): Promise<{ messages: CoveredMessage[]; next: MessagePosition | null }> {
    const parameters: unknown[] = [accountId, limit + 1];
    const where = ['l.account_id = $1'];
    const add = (value: unknown): string => `$${parameters.push(value)}`;
    if (filter.class) where.push(`l.class = '${STORED[filter.class]}'`);
    if (filter.class === 'verified') where.push(`l.verified_on >= ${VERIFIED_SINCE}`);
    if (filter.class === 'archived') where.push(`l.verified_on < ${VERIFIED_SINCE}`);
    if (filter.exclusion !== null) where.push(`l.exclusion = ${add(filter.exclusion)}`);
    if (filter.reason !== null) where.push(`l.reason = ${add(filter.reason)}`);
    const isByDay = STORED[filter.class ?? 'pending'] === 'archived';
    const order = isByDay ? 'l.verified_on, l.message_id' : 'l.message_id';
    if (after && isByDay)
      where.push(`(${order}) > (${add(after.verifiedOn)}::date, ${add(after.messageId)}::text)`);
    else if (after) where.push(`l.message_id > ${add(after.messageId)}::text`);
    // Only archived rows have a day: with it, those of any class come in the order of the index.
    if (filter.class && !isByDay && filter.exclusion === null) where.push(`l.verified_on = '-infinity'`);
    const rows = await this.queryRows(
      { ...COVERED_MESSAGE, ...POSITION },
      `SELECT ${MESSAGE_COLUMNS}, l.verified_on::text AS position
         FROM ledger_messages l JOIN archiving_settings kept ON kept.account_id = $1
        WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT $2`,
      parameters,
    );
    const messages = rows.slice(0, limit);
    const last = messages.at(-1);
    const next =
      rows.length > limit && last ? { verifiedOn: last.position, messageId: last.messageId } : null;
    return { messages, next };
  }

  /** null: the ledger does not have it. */
  async find(accountId: string, messageId: string): Promise<CoveredMessage | null> {
    const [message] = await this.queryRows(
      COVERED_MESSAGE,
      `SELECT ${MESSAGE_COLUMNS} FROM ledger_messages l JOIN archiving_settings kept ON kept.account_id = $1
        WHERE l.account_id = $1 AND l.message_id = $2`,
      [accountId, messageId],
    );
    return message ?? null;
  }

  /** The archived mail of a message that the ledger does not have; null: there is none. */
  async findArchived(accountId: string, messageId: string): Promise<{ id: string; labels: string[] } | null> {
    const [mail] = await this.queryRows(
      { id: column.text, labels: column.array(column.text) },
      `SELECT id, label_ids AS labels FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2`,
      [accountId, messageId],
    );
    return mail ?? null;
  }

  /** Finds the evidence for messages, in the order asked, and the state of the ledger at the same moment. */
  async findEvidence(
    userId: string,
    accountId: string,
    messageIds: readonly string[],
  ): Promise<{ head: LedgerHead | null; messages: MessageEvidence[] }> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => ({
      head: await this.findHead(manager, userId, accountId),
      messages: typedRows(
        EVIDENCE,
        await manager.query(
          `SELECT asked.id AS "messageId", l.class, l.reason, coalesce(l.labels, '{}') AS labels, mail.id AS "mailId",
                  greatest(mail.date, mail.received_at) AS "mailAgeingFrom", mail.label_ids AS "mailLabels", coalesce(mail.presence = 'gone', false) AS "isGone"
             FROM unnest($2::text[]) WITH ORDINALITY AS asked (id, place)
             LEFT JOIN LATERAL (
               SELECT ${MESSAGE_COLUMNS} FROM ledger_messages l JOIN archiving_settings kept ON kept.account_id = $1
                WHERE l.account_id = $1 AND l.message_id = asked.id LIMIT 1
             ) l ON true
             LEFT JOIN LATERAL (
               SELECT id, date, received_at, label_ids, presence FROM archived_mails
                WHERE account_id = $1 AND mailbox_message_id = asked.id LIMIT 1
             ) mail ON true
            ORDER BY asked.place`,
          [accountId, messageIds],
        ),
      ),
    }));
  }

  private async findHead(
    manager: EntityManager,
    userId: string,
    accountId: string,
  ): Promise<LedgerHead | null> {
    const [head] = typedRows(
      HEAD,
      await manager.query(
        `SELECT ${HEAD_COLUMNS} FROM ${HEAD_OF} WHERE kept.account_id = $1 AND account.user_id = $2`,
        [accountId, userId],
      ),
    );
    return head ?? null;
  }
}

/** Shape of the columns on the outer side of a join. */
const nullable = <T extends object>(shape: RowShape<T>): RowShape<{ [K in keyof T]: T[K] | null }> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, type]) => [name, column.nullable(type as RowShape<T>[keyof T])]),
  ) as RowShape<{ [K in keyof T]: T[K] | null }>;

function totalsOf(
  rows: readonly { readonly [K in keyof LedgerTotal]: LedgerTotal[K] | null }[],
): LedgerTotal[] {
  return typedRows(
    TOTAL,
    rows.filter((row) => row.class !== null),
  );
}
