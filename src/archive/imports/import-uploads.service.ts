import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { JobsService, type JobOwner, type StartedJob } from '../../platform/jobs/jobs.service';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import { parseJobReference } from '../../platform/jobs/job-record';
import type { SpoolPlace } from './containers/spool';
import { FILE_ERRORS } from './imports.errors';
import { ImportUploadsRepository } from './import-uploads.repository';
import { PAUSED_MS, UNHEARD_MS, UploadAllowancesService } from './upload-allowances.service';
import { UploadDirectory } from './upload-directory';
import { UploadReceiver } from './upload-receiver';

/** The file that a job imports, part of its payload. */
export interface UploadedFile {
  readonly uploadId: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

const DELETION_BATCH = 1_000;
/** Times for which files are kept: a failed import can be resumed without uploading the large file again. */
const KEPT_AFTER_FAILURE = { hours: 24, hopeless: FILE_ERRORS, unheardMs: UNHEARD_MS, pausedMs: PAUSED_MS };

/** Uploaded files from the first byte to the end of the job they are for. */
@Injectable()
export class ImportUploadsService {
  constructor(
    private readonly receiver: UploadReceiver,
    private readonly allowances: UploadAllowancesService,
    private readonly directory: UploadDirectory,
    private readonly repository: ImportUploadsRepository,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Receives the file of a request and starts the job that imports it. The same request again, by its
   * `Idempotency-Key`, gets the job of the first one if its file has the same name and bytes.
   * @throws what `UploadReceiver.receive` throws; TooManyUploads, UploadOverQuota, IdempotencyKeyReused; TooManyJobs,
   *   as a rule before anything is received
   */
  async start(
    request: Request,
    definition: JobDefinition<UploadedFile>,
    owner: JobOwner & { readonly accountId: string },
  ): Promise<StartedJob> {
    await this.jobs.ensureRoomToStart(owner.userId);
    const uploadId = newId();
    const underWay = { id: uploadId, userId: owner.userId, accountId: owner.accountId };
    let isOurs = false;
    try {
      const { filename, sizeBytes, sha256 } = await this.receiver.receive(request, {
        uploadId,
        hold: (bytes) => this.allowances.hold(underWay, bytes),
      });
      // Repeated requests are compared by this body.
      request.body = { filename, sha256 };
      return await this.transactions.run(async (transaction) => {
        const file = { uploadId, filename, sizeBytes };
        const started = await this.jobs.start(definition, owner, file, { transaction });
        const { number } = parseJobReference(started.jobId) as { number: number };
        const upload = { ...file, ...underWay };
        isOurs = await this.repository.insertForJob(upload, { kind: definition.kind, number }, transaction);
        return started;
      });
    } finally {
      // After a lost answer to the commit the job may exist, so its file stays; a file without a job is deleted later.
      if (!isOurs) await this.delete(uploadId);
    }
  }

  /** Whether the file of a job that has ended is still there. */
  isKept(uploadId: string, transaction: Transaction): Promise<boolean> {
    return this.repository.exists(uploadId, transaction);
  }

  pathOf(uploadId: string): string {
    return this.directory.pathOf(uploadId);
  }

  /** Place for copies of files in an archive that is imported, uploaded or not. They are deleted with it. */
  async spoolOf(uploadId: string): Promise<SpoolPlace> {
    await this.directory.ensure();
    return this.directory.spoolOf(uploadId);
  }

  /** Deletes a file that is no longer needed, and its row. */
  async delete(uploadId: string): Promise<void> {
    await this.directory.delete(uploadId);
    await this.repository.delete(uploadId);
  }

  /** Deletes all uploads of a user, on this machine. @returns number of files that were waiting for their job */
  async deleteAllOf(userId: string): Promise<number> {
    const ids = await this.repository.listOwned(userId);
    for (const id of ids) await this.delete(id);
    return ids.length;
  }

  /**
   * Deletes files whose job has ended, a day later if it has failed, and files without a job: uploads that broke off
   * with their process or were not continued, files of accounts that are gone. Any number of processes may do it at once.
   * @returns number of files deleted
   */
  async deleteFinished(): Promise<number> {
    const done = await this.repository.takeDone(KEPT_AFTER_FAILURE, DELETION_BATCH);
    for (const id of done) await this.directory.delete(id);
    const untouched: string[] = [];
    for await (const id of this.directory.untouchedSince(new Date(Date.now() - UNHEARD_MS)))
      untouched.push(id);
    const known = await this.repository.findKnown(untouched);
    const unclaimed = untouched.filter((id) => !known.has(id));
    for (const id of unclaimed) await this.directory.delete(id);
    return done.length + unclaimed.length;
  }
}
