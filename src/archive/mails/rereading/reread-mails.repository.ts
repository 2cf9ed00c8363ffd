import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { ArchiveParse } from '../archiving/parse-message.task';
import type { MailEnvelope } from '../mail-envelope';
import { joinValues, nullableText, storableText, VALUE_SEPARATOR } from '../writing/mail-to-archive';
import { PassagesRepository } from '../writing/passages.repository';
import { mailTextState } from '../writing/mail-text-state';
import { storedWords } from '../writing/stored-words';
import type { FoundDates } from './dates-of-earlier-mail';
import type { OutdatedMail } from './outdated-mails.repository';
import { READER_VERSION, type ReaderProblem } from './reader-version';

/** A mail that was read again. */
export interface RereadMail {
  readonly mail: OutdatedMail;
  readonly dates: FoundDates;
  readonly parsed: ArchiveParse;
  readonly contentMac: string;
  /** Whether its preview is that of the provider, which stays unless it is empty. */
  readonly keepsSnippet: boolean;
}

/** A mail that could not be read again: its row keeps what it says. */
export interface UnreadMail {
  readonly mail: OutdatedMail;
  readonly dates: FoundDates;
  /** null: it is encrypted, and stays of the version that read it. */
  readonly problem: ReaderProblem | null;
}

/** Rows of mails that were read again, written many at a time. Their names, threads, labels and files stay. */
@Injectable()
export class RereadMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly passages: PassagesRepository,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  /**
   * @param envelopes those of the mails, by id
   * @param transaction has locked the account's archive
   */
  async record(
    accountId: string,
    mails: readonly RereadMail[],
    envelopes: ReadonlyMap<string, MailEnvelope | null>,
    transaction: Transaction,
  ): Promise<void> {
    if (mails.length === 0) return;
    await this.executeAndCount(
      `UPDATE archived_mails m
          SET message_id_header = t.message_id_header, subject = t.subject, sender = t.sender, recipient = t.recipient,
              in_reply_to = t.in_reply_to, references_header = t.refs, has_attachments = t.has_attachments,
              snippet = CASE WHEN t.keeps_snippet AND m.snippet <> '' THEN m.snippet ELSE t.snippet END,
              defects = string_to_array(t.defects, '${VALUE_SEPARATOR}'), content_mac = t.content_mac,
              date = t.date, received_at = t.received_at, date_source = t.date_source,
              text_state = t.text_state, reader_version = ${READER_VERSION}, reader_problem = NULL
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
                $10::boolean[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[], $17::text[])
           AS t (id, message_id_header, subject, sender, recipient, in_reply_to, refs, has_attachments, keeps_snippet,
                snippet, defects, content_mac, text_state, date, received_at, date_source)
        WHERE m.account_id = $1 AND m.id = t.id`,
      [
        accountId,
        mails.map(({ mail }) => mail.id),
        mails.map(({ parsed }) => nullableText(parsed.messageId)),
        mails.map(({ parsed }) => storableText(parsed.subject)),
        mails.map(({ parsed }) => storableText(parsed.sender)),
        mails.map(({ parsed }) => storableText(parsed.recipient)),
        mails.map(({ parsed }) => nullableText(parsed.inReplyTo)),
        mails.map(({ parsed }) => nullableText(parsed.references)),
        mails.map(({ parsed }) => parsed.hasAttachments),
        mails.map(({ keepsSnippet }) => keepsSnippet),
        mails.map(({ parsed }) => storableText(parsed.snippet)),
        mails.map(({ parsed }) => joinValues(parsed.defects)),
        mails.map(({ contentMac }) => contentMac),
        mails.map(({ parsed }) => mailTextState(parsed)),
        ...datesOf(mails),
      ],
      transaction,
    );
    await this.recordWords(accountId, mails, envelopes, transaction);
  }

  /** Writes the words that changed; the padding has to be written with them. */
  private async recordWords(
    accountId: string,
    mails: readonly RereadMail[],
    envelopes: ReadonlyMap<string, MailEnvelope | null>,
    transaction: Transaction,
  ): Promise<void> {
    const ids = mails.map(({ mail }) => mail.id);
    const words = mails.map(({ mail, parsed }) => storedWords(parsed.words, envelopes.get(mail.id)));
    const changed = await this.executeAndCount(
      `UPDATE archived_mail_words w SET words = t.words, padding = DEFAULT
         FROM (SELECT id, words::tsvector || envelope_words::tsvector AS words
                 FROM unnest($2::uuid[], $3::text[], $4::text[]) AS t (id, words, envelope_words)) t
        WHERE w.account_id = $1 AND w.mail_id = t.id AND w.words <> t.words`,
      [
        accountId,
        ids,
        words.map(({ vector }) => storableText(vector)),
        words.map(({ envelope }) => storableText(envelope)),
      ],
      transaction,
    );
    const passages = ids.flatMap((mailId, index) =>
      words[index]!.passages.map((vector) => ({ mailId, vector })),
    );
    const replaced = await this.passages.replace(accountId, ids, passages, transaction);
    // The version of the row tells whether a counted search still holds.
    if (changed + replaced > 0)
      await this.executeAndCount(
        'UPDATE archive_totals SET bytes = bytes WHERE account_id = $1',
        [accountId],
        transaction,
      );
  }

  /**
   * Records dates of mails that could not be read again, and why. Those that are not encrypted are not tried again before the
   * next version of the reader.
   * @param transaction has locked the account's archive
   */
  async recordUnread(
    accountId: string,
    mails: readonly UnreadMail[],
    transaction: Transaction,
  ): Promise<void> {
    if (mails.length === 0) return;
    await this.executeAndCount(
      `UPDATE archived_mails m
          SET date = t.date, received_at = t.received_at, date_source = t.date_source, reader_problem = t.problem,
              reader_version = CASE WHEN t.problem IS NULL THEN m.reader_version ELSE ${READER_VERSION} END,
              text_state = CASE WHEN t.problem IS NULL THEN m.text_state ELSE 'failed' END
         FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[])
           AS t (id, problem, date, received_at, date_source)
        WHERE m.account_id = $1 AND m.id = t.id`,
      [accountId, mails.map(({ mail }) => mail.id), mails.map(({ problem }) => problem), ...datesOf(mails)],
      transaction,
    );
  }
}

const datesOf = (mails: readonly { readonly dates: FoundDates }[]): (string | null)[][] => [
  mails.map(({ dates }) => dates.date.toISOString()),
  mails.map(({ dates }) => dates.receivedAt.toISOString()),
  mails.map(({ dates }) => dates.dateSource),
];
