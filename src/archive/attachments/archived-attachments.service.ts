import { Injectable } from '@nestjs/common';
import { attachmentSearchWords } from '../mails/search/attachment-search';
import { offsetOf } from '../../platform/validation/page.dto';
import type { ArchivedAttachmentsQuery } from './dto/attachments.dto';
import { ArchivedAttachmentPage, ArchivedAttachmentsRepository } from './archived-attachments.repository';

/** Attachments of archived mail, across an account. */
@Injectable()
export class ArchivedAttachmentsService {
  constructor(private readonly repository: ArchivedAttachmentsRepository) {}

  /** A page of attachments, with the totals of all that match. */
  list(userId: string, accountId: string, query: ArchivedAttachmentsQuery): Promise<ArchivedAttachmentPage> {
    return this.repository.list(
      { userId, accountId },
      {
        words: attachmentSearchWords(query.q ?? ''),
        sort: query.sort,
        order: query.order,
        limit: query.limit,
        offset: offsetOf(query),
      },
    );
  }
}
