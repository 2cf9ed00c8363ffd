import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { ArchivedMailEntity } from '../archived-mail.entity';

/** Messages of a mailbox that the archive does not have. */
export interface MissingMessages {
  readonly messages: number;
  readonly bytes: number;
  /** Messages whose headers have not been read; copies of one message in several folders count apart. */
  readonly withoutHeader: number;
}

/** Amounts that are left to archive. */
@Injectable()
export class ArchiveForecastsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Sums up the listed messages of the user's IMAP mailbox that are not archived. */
  async sumMissing(userId: string, accountId: string): Promise<MissingMessages> {
    const [sum] = await this.queryRows(
      { messages: column.number, bytes: column.number, withoutHeader: column.number },
      `WITH owned AS (SELECT id FROM mailbox_accounts WHERE id = $1 AND user_id = $2),
            missing AS (
              SELECT message.size, 0 AS unread
              FROM imap_messages message JOIN owned ON owned.id = message.account_id
              WHERE EXISTS (SELECT FROM imap_places place
                            WHERE place.account_id = message.account_id AND place.message_id = message.message_id)
                AND NOT EXISTS (SELECT FROM archived_mails mail
                                WHERE mail.account_id = message.account_id AND mail.mailbox_message_id = message.message_id)
              UNION ALL
              SELECT place.size, 1 FROM imap_places place JOIN owned ON owned.id = place.account_id
              WHERE place.message_id IS NULL)
       SELECT count(*)::float8 AS messages, coalesce(sum(size), 0)::float8 AS bytes,
              coalesce(sum(unread), 0)::float8 AS "withoutHeader"
       FROM missing`,
      [accountId, userId],
    );
    return sum!;
  }
}
