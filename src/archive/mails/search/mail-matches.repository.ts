import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { PLACE_KINDS, type TextPlace } from '../../../platform/documents/document-text';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { type MailFilter, mailConditions, mailTables } from '../mail-filter';
import { wordsSought } from './mail-condition';
import { leavesOf, tsqueryOf, type WordQuery } from './word-query';

/** The longest beginning of a page that is searched for the words to show. */
const MAX_PAGE_TEXT = 100_000;

/** A page, slide, sheet or member of an attached file. */
export interface FilePage extends TextPlace {
  readonly mailId: string;
  readonly filename: string;
  readonly text: string;
}

/** Tells which of given mails a search matches, and how well. */
@Injectable()
export class MailMatchesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The ids of those of the messages whose archived copy a filter finds. */
  async findMatching(
    accountId: string,
    filter: MailFilter,
    messageIds: readonly string[],
  ): Promise<Set<string>> {
    if (messageIds.length === 0) return new Set();
    const { where, parameters } = mailConditions(accountId, filter, 'each');
    const { from } = mailTables(filter, true);
    const rows = await this.queryRows(
      { message_id: column.text },
      `SELECT m.mailbox_message_id AS message_id FROM ${from}
        WHERE ${where} AND m.account_id = $1 AND m.mailbox_message_id = ANY ($${parameters.length + 1}::text[])`,
      [...parameters, messageIds],
    );
    return new Set(rows.map((row) => row.message_id));
  }

  /**
   * The fit of each of the mails with the words of a filter: more for words of the subject and the sender than for those of the
   * text (ts_rank). Long mails are ranked by their best passage. Mails without words have no rank.
   */
  async rank(
    accountId: string,
    filter: MailFilter,
    mailIds: readonly string[],
  ): Promise<Map<string, number>> {
    const sought = soughtBy(filter);
    if (sought.length === 0 || mailIds.length === 0) return new Map();
    const rows = await this.queryRows(
      { mail_id: column.text, rank: column.number },
      `SELECT mail_id, max(ts_rank(words, $2::tsquery))::float8 AS rank FROM (
         SELECT mail_id, words FROM archived_mail_words WHERE account_id = $1 AND mail_id = ANY ($3::uuid[])
         UNION ALL
         SELECT mail_id, words FROM archived_mail_passages WHERE account_id = $1 AND mail_id = ANY ($3::uuid[])
       ) found GROUP BY mail_id`,
      [accountId, tsqueryOf({ any: sought }), mailIds],
    );
    return new Map(rows.map(({ mail_id, rank }) => [mail_id, rank]));
  }

  /** The page in the files of each mail that has most of the words of a filter; none for files without any of them. */
  async findFilePages(
    accountId: string,
    filter: MailFilter,
    mailIds: readonly string[],
  ): Promise<FilePage[]> {
    const sought = soughtBy(filter).flatMap(leavesOf);
    if (sought.length === 0 || mailIds.length === 0) return [];
    const rows = await this.queryRows(
      {
        mail_id: column.text,
        filename: column.text,
        member: column.nullable(column.text),
        kind: column.nullable(column.oneOf(PLACE_KINDS)),
        name: column.nullable(column.text),
        text: column.text,
      },
      `SELECT DISTINCT ON (page.mail_id) page.mail_id, file.filename, page.member, page.kind, page.name,
              left(page.text, ${MAX_PAGE_TEXT}) AS text
         FROM archived_attachment_pages page
         JOIN archived_attachments file ON file.id = page.attachment_id AND file.account_id = $1
        WHERE page.account_id = $1 AND page.mail_id = ANY ($3::uuid[]) AND page.words @@ $2::tsquery
        ORDER BY page.mail_id, ts_rank(page.words, $2::tsquery) DESC, file.body_start, page.number`,
      [accountId, tsqueryOf({ any: sought }), mailIds],
    );
    return rows.map(({ mail_id: mailId, ...page }) => ({ mailId, ...page }));
  }
}

function soughtBy({ words, conditions }: MailFilter): WordQuery[] {
  const sought = (conditions ?? []).flatMap(wordsSought);
  return words === null ? sought : [...sought, words];
}
