import { Injectable } from '@nestjs/common';
import { Any, DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { ArchivedAttachmentEntity } from '../archived-attachment.entity';
import { ArchivedMailEntity } from '../archived-mail.entity';

/** Archived mails and their attachments, always those of one account. */
@Injectable()
export class ArchivedMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  findOwned(accountId: string, mailId: string): Promise<ArchivedMailEntity | null> {
    return this.table().findOneBy({ id: mailId, accountId });
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

  private get attachments() {
    return this.dataSource.getRepository(ArchivedAttachmentEntity);
  }
}
