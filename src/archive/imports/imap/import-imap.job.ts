import { pickFacts } from '../../../platform/access/audit-trail.port';
import { MailboxAccountGone } from '../../mails/archive.errors';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { Arrivals } from '../../../platform/arrivals/arrivals';
import { OneTimeLimits } from '../../../providers/imap/one-time/one-time-limits';
import { OneTimeSessions } from '../../../providers/imap/one-time/one-time-sessions';
import { ImportWriter } from '../import-writer';
import { ImportImapRun } from './import-imap.run';
import { ImportImapPayload } from '../dto/imports.dto';

export const ImportImap = defineJob('import_imap', {
  queue: JobQueue.Import,
  payload: ImportImapPayload,
  // The password is erased when the job ends.
  resumes: false,
  audited: {
    act: 'mails.import',
    factsOfStart: () => ({ details: { source: 'imap' } }),
    factsOfEnd: (result) => ({
      source: 'imap',
      ...pickFacts(result, 'imported', 'duplicates', 'failed', 'bytes'),
    }),
  },
});

export interface ImportImapSecrets {
  readonly pass: string;
}

/** Copies a folder of any IMAP server into the archive; see `ImportImapRun`. */
@HandlesJob(ImportImap)
export class ImportImapHandler implements JobHandler<ImportImapPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly writer: ImportWriter,
    private readonly sessions: OneTimeSessions,
    private readonly arrivals: Arrivals,
    private readonly limits: OneTimeLimits,
  ) {}

  async run(payload: ImportImapPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    // A disconnected mailbox keeps its archive, to which mail can be added.
    await this.accounts.requireOwned(job.userId, job.accountId);
    const { pass } = job.secrets<ImportImapSecrets>();
    const owner = { userId: job.userId, accountId: job.accountId };
    const { writer, sessions, arrivals, limits } = this;
    return new ImportImapRun(owner, payload, pass, job, { writer, sessions, arrivals, limits }).run();
  }
}
