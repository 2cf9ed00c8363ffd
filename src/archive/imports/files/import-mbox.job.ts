import { IsBoolean, IsInt, IsOptional, IsString, IsUUID, Min } from 'class-validator';
import { pickFacts } from '../../../platform/access/audit-trail.port';
import { MailboxAccountGone } from '../../mails/archive.errors';
import type { Transaction } from '../../../platform/database/transactions';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { ImportUploadsService, type UploadedFile } from '../import-uploads.service';
import { ImportPlacesService } from '../in-place/import-places.service';
import { AppConfig } from '../../../platform/config/app-config';
import { ImportFileChanged } from '../imports.errors';
import { ImportWriter } from '../import-writer';
import { ImportMboxRun } from './import-mbox.run';
import { uploadedFile } from './import-source';
import { mailFormats } from './mail-formats';
import { OutlookRebuilder } from '../outlook/outlook-rebuilder';

export class ImportMboxPayload implements UploadedFile {
  /** Id of the upload; of the place, when the file is imported where it lies. */
  @IsUUID()
  uploadId: string;

  /** Name of the file from the client. */
  @IsString()
  filename: string;

  @IsInt()
  @Min(0)
  sizeBytes: number;

  /** Whether the file or folder is imported where it lies on the server's disk, and stays there. */
  @IsOptional()
  @IsBoolean()
  inPlace?: boolean;
}

export const ImportMbox = defineJob('import_mbox', {
  queue: JobQueue.Import,
  payload: ImportMboxPayload,
  audited: {
    act: 'mails.import',
    factsOfStart: ({ sizeBytes }) => ({ details: { source: 'mbox', sizeBytes } }),
    factsOfEnd: (result) => ({
      source: 'mbox',
      ...pickFacts(result, 'imported', 'duplicates', 'failed', 'bytes'),
    }),
  },
});

/** Imports an uploaded file, or a file or folder on the server's disk, into the archive of the account; see `ImportMboxRun`. */
@HandlesJob(ImportMbox)
export class ImportMboxHandler implements JobHandler<ImportMboxPayload> {
  constructor(
    private readonly uploads: ImportUploadsService,
    private readonly places: ImportPlacesService,
    private readonly writer: ImportWriter,
    private readonly config: AppConfig,
    private readonly rebuilder: OutlookRebuilder,
  ) {}

  async run({ uploadId, inPlace = false }: ImportMboxPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    const { writer, config, rebuilder } = this;
    const formats = mailFormats(rebuilder);
    const source = inPlace
      ? await this.places.sourceOf(owner, uploadId)
      : uploadedFile(this.uploads.pathOf(uploadId));
    const spool = await this.uploads.spoolOf(uploadId);
    const run = new ImportMboxRun(owner, source, job, { writer, config, spool, formats });
    const result = await run.run().catch(async (error: unknown) => {
      if (error instanceof ImportFileChanged) await this.places.leave(owner, uploadId);
      throw error;
    });
    // An import in place has copies of files in its archives here. ImportUploadsCron deletes them after a failure or a cancellation,
    // once the job's end is on record.
    await this.uploads.delete(uploadId);
    return result;
  }

  canResume({ uploadId, inPlace }: ImportMboxPayload, transaction: Transaction): Promise<boolean> {
    if (inPlace) return this.places.isKept(uploadId, transaction);
    return this.uploads.isKept(uploadId, transaction);
  }
}
