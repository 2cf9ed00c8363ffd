import { IsInt, IsString, IsUUID, Min } from 'class-validator';
import { pickFacts } from '../../../platform/access/audit-trail.port';
import { MailboxAccountGone } from '../../mails/archive.errors';
import type { Transaction } from '../../../platform/database/transactions';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { ImportUploadsService, type UploadedFile } from '../import-uploads.service';
import { AppConfig } from '../../../platform/config/app-config';
import { ImportWriter } from '../import-writer';
import { ImportMboxRun } from './import-mbox.run';
import { mailFormats } from './mail-formats';
import { OutlookRebuilder } from '../outlook/outlook-rebuilder';

export class ImportMboxPayload implements UploadedFile {
  @IsUUID()
  uploadId: string;

  /** Name of the file from the client. */
  @IsString()
  filename: string;

  @IsInt()
  @Min(0)
  sizeBytes: number;
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

/** Imports an uploaded file into the archive of the account; see `ImportMboxRun`. */
@HandlesJob(ImportMbox)
export class ImportMboxHandler implements JobHandler<ImportMboxPayload> {
  constructor(
    private readonly uploads: ImportUploadsService,
    private readonly writer: ImportWriter,
    private readonly config: AppConfig,
    private readonly rebuilder: OutlookRebuilder,
  ) {}

  async run({ uploadId }: ImportMboxPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    const { writer, config, rebuilder } = this;
    const formats = mailFormats(rebuilder);
    const path = this.uploads.pathOf(uploadId);
    const spool = this.uploads.spoolOf(uploadId);
    const result = await new ImportMboxRun(owner, path, job, { writer, config, spool, formats }).run();
    // After a failure or a cancellation, ImportUploadsCron deletes the file once the job's end is on record.
    await this.uploads.delete(uploadId);
    return result;
  }

  canResume({ uploadId }: ImportMboxPayload, transaction: Transaction): Promise<boolean> {
    return this.uploads.isKept(uploadId, transaction);
  }
}
