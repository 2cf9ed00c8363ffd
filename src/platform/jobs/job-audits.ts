import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import type { Transaction } from '../database/transactions';
import { definedJobs, JobDefinition } from './job-definition';
import type { JobRecord } from './job-record';

/** Records the starts and ends of audited kinds, in the transaction that starts or ends the job. */
@Injectable()
export class JobAudits {
  constructor(private readonly trail: AuditTrail) {}

  async recordStart<P extends object>(
    { jobId, userId, accountId }: JobRecord,
    { audited }: JobDefinition<P>,
    payload: P,
    transaction: Transaction,
  ): Promise<void> {
    const facts = audited?.factsOfStart(payload);
    if (!audited || !facts) return;
    const { act, byService } = audited;
    await this.trail.record(
      { action: `${act}-started`, userId, accountId, jobId, byService, ...facts },
      transaction,
    );
  }

  /** Records that a job was taken up again after the end that was recorded. */
  async recordResumption(
    { jobId, userId, accountId, type }: JobRecord,
    transaction: Transaction,
  ): Promise<void> {
    const audited = definedJobs().find(({ kind }) => kind === type)?.audited;
    if (!audited) return;
    await this.trail.record({ action: `${audited.act}-resumed`, userId, accountId, jobId }, transaction);
  }

  async recordEnd(record: JobRecord, transaction: Transaction): Promise<void> {
    const { jobId, userId, accountId, type, status, processed, errorCode } = record;
    const audited = definedJobs().find(({ kind }) => kind === type)?.audited;
    if (!audited || !isEnd(status)) return;
    const facts = audited.factsOfEnd(record.result ?? {}, { status, processed });
    if (!facts) return;
    await this.trail.record(
      {
        action: `${audited.act}-${status}`,
        outcome: status === 'failed' ? 'failure' : 'success',
        userId,
        accountId,
        jobId,
        byService: audited.byService,
        details: { ...facts, processed, ...(errorCode !== null && { code: errorCode }) },
      },
      transaction,
    );
  }
}

const isEnd = (status: JobRecord['status']): status is 'completed' | 'failed' | 'cancelled' =>
  status === 'completed' || status === 'failed' || status === 'cancelled';
