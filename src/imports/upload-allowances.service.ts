import { Injectable } from '@nestjs/common';
import { StorageQuotasService } from '../archive/storage-quotas.service';
import { Transactions } from '../common/database/transactions';
import { UserLocksRepository } from '../users/user-locks.repository';
import { ImportUploadsRepository, type UploadUnderWay } from './import-uploads.repository';
import { TooManyUploads, UploadOverQuota } from './imports.errors';

/** Uploads of a user under way or before the end of their import: one that is imported, and the next. */
const MAX_WAITING = 2;
/** A file is larger than what its import adds: it may hold mails that are archived already. */
const FILE_PER_ROOM = 1.5;
/** Bytes that are not worth a refusal: the multipart around a file, or a few mails, of which the import says which fit. */
const SLACK = 64 * 1024;

/** How much users may upload, in all processes together: what waits is counted in rows. */
@Injectable()
export class UploadAllowancesService {
  constructor(
    private readonly uploads: ImportUploadsRepository,
    private readonly quotas: StorageQuotasService,
    private readonly userLocks: UserLocksRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Enters an upload that begins, or says of one under way that it still is. What was granted is not taken back.
   * @param bytes announced or arrived
   * @returns bytes that it may have before the next call
   * @throws TooManyUploads, UploadOverQuota
   */
  async hold(upload: UploadUnderWay, bytes: number): Promise<number> {
    const { usedBytes, quotaBytes } = await this.quotas.usage(upload.userId);
    const room = quotaBytes - usedBytes;
    return this.transactions.run(async (transaction) => {
      await this.userLocks.lock(upload.userId, transaction);
      const { heldBytes, others } = await this.uploads.waiting(upload, transaction);
      const granted = heldBytes ?? -1;
      const allowed = Math.floor(room * FILE_PER_ROOM) + SLACK - others.bytes;
      if (bytes > granted) {
        if (others.count >= MAX_WAITING) throw new TooManyUploads(MAX_WAITING);
        if (room <= 0 || bytes > allowed) throw new UploadOverQuota();
      }
      await this.uploads.hold(upload, Math.max(bytes, granted), transaction);
      return Math.max(allowed, granted);
    });
  }
}
