import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { foldedSql, wordBeginning } from '../../../platform/search/word-beginnings';
import { ArchivedSenderEntity } from '../archived-mail.entity';

/** Senders that are looked through, of each account those with most mails. */
const MOST_FREQUENT = 2_000;
/** From lines that the index of senders gives for one text. */
const MOST_LINES = 500;
/** Shorter texts have no trigram: the index would be read as a whole. */
const MIN_INDEXED = 3;

/** A sender of archived mail. */
export interface KnownSender {
  /** Lower-case address. */
  readonly email: string;
  /** From line of a mail. */
  readonly sender: string;
  readonly mails: number;
}

const ROW = { email: column.text, sender: column.text, mails: column.number };

/** Finds the senders of an archive by the beginning of a word of their names and addresses. */
@Injectable()
export class KnownSendersRepository extends BaseRepository<ArchivedSenderEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedSenderEntity);
  }

  /** The senders with most mails; rare senders are found from three characters on. */
  async find(accountId: string, text: string, limit: number): Promise<KnownSender[]> {
    const frequent = await this.queryRows(
      ROW,
      `SELECT address AS email, sender, mails
         FROM (SELECT address, sender, mails FROM archived_senders WHERE account_id = $1
                ORDER BY mails DESC LIMIT ${MOST_FREQUENT}) known
        WHERE address LIKE '%@%' AND ${foldedSql('sender')} ~ $2
        ORDER BY mails DESC, address LIMIT $3`,
      [accountId, wordBeginning(text), limit],
    );
    if (frequent.length >= limit || text.length < MIN_INDEXED) return frequent;
    const rare = await this.queryRows(
      ROW,
      `SELECT address AS email, max(sender) AS sender, sum(mails)::int AS mails
         FROM (SELECT archived_sender_address(sender) AS address, sender, mails FROM archived_sender_names
                WHERE account_id = $1 AND lower(sender) LIKE $2 LIMIT ${MOST_LINES}) known
        WHERE address LIKE '%@%' AND ${foldedSql('sender')} ~ $3
        GROUP BY address ORDER BY 3 DESC, 1 LIMIT $4`,
      [accountId, `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`, wordBeginning(text), limit],
    );
    const known = new Set(frequent.map(({ email }) => email));
    return [...frequent, ...rare.filter(({ email }) => !known.has(email))].slice(0, limit);
  }
}
