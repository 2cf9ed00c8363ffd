import {
  flag,
  formatted,
  integer,
  list,
  maybe,
  moment,
  number,
  oneOf,
  open,
  orNull,
  ours,
  record,
  text,
  upTo,
  uuid,
} from './notation';
import type { Routes, Shape } from './notation';

export const JOB_STATUSES = ['pending', 'active', 'completed', 'failed', 'cancelled'];

/** Kinds that show in job ids. */
export const JOB_KINDS = [
  'bulk_operation',
  'archive_mails',
  'import_mbox',
  'import_imap',
  'scan_tracking',
  'scan_pii',
  'scan_unsubscribe',
  'encrypt_archives',
  'run_rule',
];

const status = oneOf(...JOB_STATUSES);

/** What every view of a job shows. */
export const job: Readonly<Record<string, Shape>> = {
  id: uuid,
  queue_id: formatted('job-id'),
  type: text(),
  status,
  progress: number({ min: 0, max: 100 }),
  total: integer(),
  processed: integer(),
  failed: integer(),
  /** Null for what concerns no account, such as a check of everything. */
  mailbox_account_id: orNull(uuid),
  error: orNull(text()),
  created_at: moment,
  completed_at: orNull(moment),
};

/** Of jobs with their payload. */
const payloadAdditions: Readonly<Record<string, Shape>> = { payload_removed: flag };

export const jobAdditions: Readonly<Record<string, Shape>> = {
  error_code: orNull(text()),
  started_at: orNull(moment),
};

const result = orNull(open);
const listed = { ...job, result, payload: open, payload_truncated: flag };
const event = record({ ...job, result }, jobAdditions);

export const jobs: Routes = {
  'GET /api/jobs': {
    access: 'user',
    query: {
      status: maybe(status),
      type: ours(maybe(text())),
      accountId: maybe(uuid),
      limit: maybe(upTo({ max: 500 }), 100),
      before: maybe(text()),
    },
    answers: 200,
    returns: list(record(listed, { ...jobAdditions, ...payloadAdditions })),
  },
  'GET /api/jobs/events': {
    access: 'user',
    answers: 200,
    type: 'text/event-stream',
    returns: 'events',
    event,
  },
  'GET /api/jobs/:jobId': {
    access: 'user',
    answers: 200,
    returns: record(
      { ...listed, queueState: oneOf('waiting', 'delayed', 'active', 'completed', 'failed', 'cancelled') },
      { ...jobAdditions, ...payloadAdditions },
    ),
    refuses: [404],
  },
  'GET /api/jobs/:jobId/events': {
    access: 'user',
    answers: 200,
    type: 'text/event-stream',
    returns: 'events',
    event,
    refuses: [404],
  },
  'DELETE /api/jobs/:jobId': {
    access: 'user',
    answers: 204,
    returns: 'nothing',
    refuses: [404, 409],
  },
};
