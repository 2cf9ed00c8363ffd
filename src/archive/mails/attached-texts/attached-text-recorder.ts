import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { OutdatedMarks } from '../rereading/outdated-marks';
import { ArchiveLock } from '../writing/archive-lock';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import {
  AttachedTextsRepository,
  type AttachedText,
  type AttachedTextRecord,
  type WaitingAttachment,
} from './attached-texts.repository';

/** Records the texts of attachments. */
@Injectable()
export class AttachedTextRecorder {
  constructor(
    private readonly texts: AttachedTextsRepository,
    private readonly outdated: OutdatedMarks,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
  ) {}

  /** Records a text. A mail that has words of another text of the attachment is read again soon. */
  record(
    owner: ArchiveOwner,
    attachment: WaitingAttachment,
    text: AttachedText,
  ): Promise<AttachedTextRecord> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return 'unchanged';
      const recorded = await this.texts.record(owner.accountId, attachment, text, transaction);
      if (recorded === 'outdated')
        await this.outdated.markOutdated(owner.accountId, [attachment.mail.id], transaction);
      return recorded;
    });
  }
}
