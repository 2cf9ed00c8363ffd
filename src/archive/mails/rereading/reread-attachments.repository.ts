import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedAttachmentEntity } from '../archived-mail.entity';
import { AttachmentPagesRepository } from '../attached-texts/attachment-pages.repository';
import { AttachedTextsRepository } from '../attached-texts/attached-texts.repository';
import {
  attachmentColumns,
  attachmentRowsOf,
  INSERT_ATTACHMENTS,
  storedPartId,
} from '../writing/attachment-rows';
import type { RereadMail } from './reread-mails.repository';

const FACTS = [
  'filename',
  'mime_type',
  'size_bytes',
  'body_start',
  'body_end',
  'encoding',
  'content_id',
  'is_inline',
  'is_contained',
  'search_text',
];
const rowOf = (table: string): string => `(${FACTS.map((fact) => `${table}.${fact}`).join(', ')})`;

/** Attachments of mails that were read again. */
@Injectable()
export class RereadAttachmentsRepository extends BaseRepository<ArchivedAttachmentEntity> {
  constructor(
    dataSource: DataSource,
    private readonly texts: AttachedTextsRepository,
    private readonly pages: AttachmentPagesRepository,
  ) {
    super(dataSource, ArchivedAttachmentEntity);
  }

  /**
   * Records the attachments of mails whose rows have been recorded. A part that was known keeps its id, so that links to it hold.
   * The words of the mails have been replaced: attachments whose words were among them are read again, and so are parts that changed.
   * @param transaction has locked the account's archive
   */
  async record(accountId: string, mails: readonly RereadMail[], transaction: Transaction): Promise<void> {
    if (mails.length === 0) return;
    const mailIds = mails.map(({ mail }) => mail.id);
    await this.texts.makeWaiting(accountId, mailIds, transaction);
    const known = await this.queryRows(
      { id: column.text, mail_id: column.text, part_id: column.text },
      `SELECT id, mail_id, part_id FROM archived_attachments
        WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[]))) ORDER BY id`,
      [accountId, mailIds],
      transaction,
    );
    const idsOf = new Map<string, string[]>();
    for (const { id, mail_id, part_id } of known) {
      const part = `${mail_id} ${part_id}`;
      idsOf.set(part, [...(idsOf.get(part) ?? []), id]);
    }
    const parts = mails.flatMap(({ mail, dates, parsed }) =>
      attachmentRowsOf(mail.id, dates.date, parsed).map((part) => ({
        ...part,
        id: idsOf.get(`${mail.id} ${storedPartId(part.partId)}`)?.shift() ?? part.id,
      })),
    );
    const gone = [...idsOf.values()].flat();
    if (gone.length > 0)
      await this.executeAndCount(
        'DELETE FROM archived_attachments WHERE account_id = $1 AND id = ANY ($2::uuid[])',
        [accountId, gone],
        transaction,
      );
    if (parts.length === 0) return;
    await this.execute(
      `${INSERT_ATTACHMENTS}
       ON CONFLICT (id) DO UPDATE SET ${FACTS.map((fact) => `${fact} = excluded.${fact}`).join(', ')},
           text_state = 'waiting', text_reason = NULL, text_attempts = 0, content_sha256 = NULL
         WHERE ${rowOf('known')} IS DISTINCT FROM ${rowOf('excluded')}`,
      attachmentColumns(accountId, parts),
      transaction,
    );
    await this.pages.removeOutdated(accountId, mailIds, transaction);
  }
}
