import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../../archive/archived-mail.entity';
import { BaseRepository } from '../../common/database/base.repository';
import type { ArchivedLabel } from './policy-label';

/** The labels an archive knows of. */
@Injectable()
export class ArchivedLabelsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Every label that stands on a mail of the account; one pass over its rows. */
  async list(userId: string, accountId: string): Promise<ArchivedLabel[]> {
    const rows = await this.rows<{ value: string; is_id: boolean }>(
      // Imported mail is named by its Message-ID or by its hash.
      `SELECT label AS value, bool_or(is_id) AS is_id
         FROM (
           SELECT label_ids, mailbox_message_id !~ '^(<|sha256:)' AS is_id, count(*)
             FROM archived_mails WHERE account_id = $2 AND user_id = $1 GROUP BY 1, 2
         ) combinations, unnest(label_ids) AS label
        GROUP BY label`,
      [userId, accountId],
    );
    return rows.map(({ value, is_id: isId }) => ({ value, isId }));
  }
}
