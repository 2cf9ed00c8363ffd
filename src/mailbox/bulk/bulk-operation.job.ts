import { Injectable } from '@nestjs/common';
import {
  ArrayMinSize,
  IsArray,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  ValidateIf,
} from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { BulkAction, needsLabel } from './bulk-action';
import { BulkChanger } from './bulk-changer';

export class BulkOperationPayload {
  @IsEnum(BulkAction)
  action: BulkAction;

  /** Ids of the messages, without duplicates. */
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  messageIds: string[];

  @ValidateIf((payload: BulkOperationPayload) => needsLabel(payload.action))
  @IsString()
  @IsNotEmpty()
  labelId?: string;

  /** Number of starred messages, if the caller has counted them. The result repeats it. */
  @IsOptional()
  @IsInt()
  starredCount?: number;

  /** Number of important messages, if the caller has counted them. The result repeats it. */
  @IsOptional()
  @IsInt()
  importantCount?: number;
}

export const BulkOperation = defineJob('bulk_operation', {
  queue: JobQueue.InteractiveBulk,
  payload: BulkOperationPayload,
  undoable: true,
  // The counts are left out: they were those of all messages.
  retryOf: ({ action, labelId }, messageIds) => ({ action, messageIds: [...messageIds], labelId }),
  audited: {
    act: 'messages.bulk',
    factsOfStart: ({ action, messageIds, starredCount }) => ({
      details: { action, count: messageIds.length, ofNewsletter: starredCount !== undefined },
    }),
    factsOfEnd: (result) =>
      pickFacts(result, 'action', 'changed', 'alreadyDone', 'notFound', 'refused', 'unknown'),
  },
});

/** Changes many messages of one mailbox; see `BulkOperationRun`. */
@Injectable()
@HandlesJob(BulkOperation)
export class BulkOperationHandler implements JobHandler<BulkOperationPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly changer: BulkChanger,
  ) {}

  async run(payload: BulkOperationPayload, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const result = await this.changer.change(account, payload, job);
    const { starredCount, importantCount } = payload;
    return { ...result, ...(starredCount !== undefined && { starredCount, importantCount }) };
  }
}
