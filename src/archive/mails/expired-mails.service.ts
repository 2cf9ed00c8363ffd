import { Injectable } from '@nestjs/common';
import { FileDeletions } from '../files/file-deletions';
import type { Transaction } from '../../platform/database/transactions';
import { type ExpiredMails, ExpiredMailsRepository, type ExpiredSummary } from './expired-mails.repository';

export type { ExpiredMails, ExpiredSummary } from './expired-mails.repository';

/** Counts and deletes the mails that retention policies no longer keep. */
@Injectable()
export class ExpiredMailsService {
  constructor(
    private readonly expiredMails: ExpiredMailsRepository,
    private readonly fileDeletions: FileDeletions,
  ) {}

  summarize(expired: ExpiredMails): Promise<ExpiredSummary> {
    return this.expiredMails.summarize(expired);
  }

  /** Mails that would be deleted if it were known that no offload before the last restored backup has moved their messages. */
  countUncertain(expired: ExpiredMails): Promise<number> {
    return this.expiredMails.countUncertain(expired);
  }

  /**
   * Deletes the given mails that are still expired, and enqueues their files to be deleted. Held ones stay until the next run.
   * @param transaction has locked the account's archive
   * @returns mails deleted
   */
  async delete(expired: ExpiredMails, ids: readonly string[], transaction: Transaction): Promise<number> {
    const files = await this.expiredMails.delete(expired, ids, transaction);
    if (files.length > 0) await this.fileDeletions.enqueue(files, transaction);
    return files.length;
  }
}
