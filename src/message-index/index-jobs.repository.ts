import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { JobEntity, JobStatus } from '../jobs/job.entity';
import { column, RowShape } from '../common/database/row-shape';

export interface LastIndexJob {
  readonly number: number;
  readonly status: JobStatus;
  /** Why it failed, or was cancelled by somebody else than the user. */
  readonly errorCode: string | null;
  /** Pending or running, or a cancelled one that has not stopped yet. */
  readonly open: boolean;
  /** It came to its end, and something was missing still. */
  readonly gaveUp: boolean;
  /** Seconds since it ended; null while it is open. */
  readonly endedSecondsAgo: number | null;
}

const LAST_INDEX_JOB_ROW: RowShape<LastIndexJob> = {
  number: column.number,
  status: column.oneOf(['pending', 'failed', 'cancelled', 'active', 'completed']),
  errorCode: column.nullable(column.text),
  open: column.boolean,
  gaveUp: column.boolean,
  endedSecondsAgo: column.nullable(column.number),
};

/** The jobs that index an account. */
@Injectable()
export class IndexJobsRepository extends BaseRepository<JobEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, JobEntity);
  }

  async findLast(accountId: string, kind: string): Promise<LastIndexJob | undefined> {
    const [last] = await this.rows(
      LAST_INDEX_JOB_ROW,
      `SELECT number::float8 AS number, status, error_code AS "errorCode",
         status IN ('pending', 'active') OR lease_until IS NOT NULL AS open,
         coalesce(status = 'completed' AND result->>'complete' = 'false', false) AS "gaveUp",
         extract(epoch FROM clock_timestamp() - completed_at)::float8 AS "endedSecondsAgo"
       FROM jobs WHERE mailbox_account_id = $1 AND type = $2 ORDER BY number DESC LIMIT 1`,
      [accountId, kind],
    );
    return last;
  }
}
