import { Injectable } from '@nestjs/common';
import { Any, DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { ArchivedAttachmentEntity, ArchivedMailEntity } from './archived-mail.entity';
import { column } from '../../platform/database/row-shape';

/** A label as archived mails hold it. */
export interface ArchivedLabel {
  readonly value: string;
  /** Whether the label is an id, as on mail archived from the mailbox; imported mail carries names. */
  readonly isId: boolean;
}

/** Archived mails and their attachments, always those of one account. */
@Injectable()
export class ArchivedMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  findOwned(accountId: string, mailId: string): Promise<ArchivedMailEntity | null> {
    return this.getTable().findOneBy({ id: mailId, accountId });
  }

  /** Attachments of some mails, in the order they have in their mail. */
  attachmentsOf(accountId: string, mailIds: readonly string[]): Promise<ArchivedAttachmentEntity[]> {
    return this.attachments.find({
      where: { accountId, mailId: Any([...mailIds]) },
      order: { mailId: 'ASC', bodyStart: 'ASC', id: 'ASC' },
    });
  }

  async findAttachmentOwned(
    accountId: string,
    attachmentId: string,
  ): Promise<{ attachment: ArchivedAttachmentEntity; mail: ArchivedMailEntity } | null> {
    const attachment = await this.attachments.findOneBy({ id: attachmentId, accountId });
    const mail = attachment && (await this.findOwned(accountId, attachment.mailId));
    return attachment && mail ? { attachment, mail } : null;
  }

  /** Every label that stands on a mail of the account; one pass over its rows. */
  async labelsOf(userId: string, accountId: string): Promise<ArchivedLabel[]> {
    const rows = await this.queryRows(
      { value: column.text, is_id: column.boolean },
      // Imported mail is named by its Message-ID or by its hash.
      `SELECT label AS value, bool_or(is_id) AS is_id
         FROM (
           SELECT label_ids, mailbox_message_id !~ '^(<|message-id:|sha256:)' AS is_id, count(*)
             FROM archived_mails WHERE account_id = $2 AND user_id = $1 GROUP BY 1, 2
         ) combinations, unnest(label_ids) AS label
        GROUP BY label`,
      [userId, accountId],
    );
    return rows.map(({ value, is_id: isId }) => ({ value, isId }));
  }

  private get attachments() {
    return this.dataSource.getRepository(ArchivedAttachmentEntity);
  }
}
