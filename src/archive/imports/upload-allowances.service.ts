import { Injectable } from '@nestjs/common';
import { StorageQuotasService } from '../mails/storage-quotas.service';
import { Transactions } from '../../platform/database/transactions';
import type { DomainError } from '../../platform/http/domain-error';
import { UserLocks } from '../../identity/users/user-locks';
import {
  ImportUploadsRepository,
  type UploadUnderWay,
  type WaitingUploads,
} from './import-uploads.repository';
import { TooManyUploads, UploadOverQuota } from './imports.errors';
import { UploadDirectory } from './upload-directory';

/** Most uploads of a user under way or before the end of their import: one that is imported, and the next. */
const MAX_WAITING = 2;
/** Size of files allowed, as a multiple of the room: a file may hold mails that are archived already. */
const FILE_PER_ROOM = 1.5;
/** Bytes that are not worth a refusal: the multipart around a file, or a few mails, of which the import says which fit. */
const SLACK = 64 * 1024;

/** Time without a sign of life after which an upload is given up: far more than between two signs, or its last byte and its job. */
export const UNHEARD_MS = 15 * 60_000;
/** Time for which an upload in chunks waits for the next one. */
export const PAUSED_MS = 24 * 60 * 60_000;
/**
 * Times for which files are kept when a new upload needs room: files of failed imports wait for a second try, and uploads in
 * chunks for the next chunk, only while there is room for them.
 */
const KEPT_BESIDE_NEW = { hours: 0, hopeless: [], unheardMs: UNHEARD_MS, pausedMs: UNHEARD_MS };
const DISPLACED_AT_ONCE = 100;

/** Limits the uploads of users, in all processes together: rows count the waiting uploads. */
@Injectable()
export class UploadAllowancesService {
  constructor(
    private readonly uploads: ImportUploadsRepository,
    private readonly directory: UploadDirectory,
    private readonly quotas: StorageQuotasService,
    private readonly userLocks: UserLocks,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Registers an upload that begins, or records that it is still under way. Granted bytes are not taken back.
   * @param bytes announced size, or number of bytes that have arrived
   * @returns bytes that it may have before the next call
   * @throws TooManyUploads, UploadOverQuota
   */
  async hold(upload: UploadUnderWay, bytes: number): Promise<number> {
    const { usedBytes, quotaBytes } = await this.quotas.getUsage(upload.userId);
    const room = quotaBytes - usedBytes;
    let displaced: string[] = [];
    const allowed = await this.transactions.run(async (transaction) => {
      displaced = [];
      const { userId } = upload;
      await this.userLocks.lock(userId, transaction);
      let waiting = await this.uploads.countWaiting(upload, transaction);
      const granted = waiting.heldBytes ?? -1;
      if (bytes > granted && explainRefusal(waiting, room, bytes)) {
        displaced = await this.uploads.takeDone(KEPT_BESIDE_NEW, DISPLACED_AT_ONCE, userId, transaction);
        waiting = await this.uploads.countWaiting(upload, transaction);
        const refused = explainRefusal(waiting, room, bytes);
        if (refused) throw refused;
      }
      await this.uploads.hold(upload, Math.max(bytes, granted), transaction);
      return Math.max(computeAllowance(waiting, room), granted);
    });
    for (const id of displaced) await this.directory.delete(id);
    return allowed;
  }
}

const computeAllowance = ({ others }: WaitingUploads, room: number): number =>
  Math.floor(room * FILE_PER_ROOM) + SLACK - others.bytes;

function explainRefusal(waiting: WaitingUploads, room: number, bytes: number): DomainError | null {
  if (waiting.others.count >= MAX_WAITING) return new TooManyUploads(MAX_WAITING);
  return room <= 0 || bytes > computeAllowance(waiting, room) ? new UploadOverQuota() : null;
}
