import type { Schemas } from './operations/operation-types.js';

/** A field that failed validation, as the service names it. */
export type FieldError = Schemas['ProblemFieldError'];

type Problem = Partial<Schemas['Problem']>;

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly offset: number;
  readonly length: number;
}

/** A response of the service other than success: its problem document (RFC 9457), as an error. */
export class MailroomError extends Error {
  override readonly name = 'MailroomError';
  /** HTTP status. */
  readonly status: number;
  /** Stable code in kebab case, for programs; `unexpected-answer` when the response is not from the service. */
  readonly code: string;
  /** Explanation for people. */
  readonly detail: string;
  /** The fields that are wrong, when the request failed validation. */
  readonly fields: readonly FieldError[];
  /** Id of the request in the service's log. */
  readonly requestId: string | null;
  /** Seconds to wait before the next try; null unless the service says so. */
  readonly retryAfter: number | null;
  /** Where the refused term stands in the query; null when no term was refused. */
  readonly term: TextPart | null;
  /** Method and address of the request. */
  readonly request: string;

  constructor(request: string, response: Response, answer: unknown, now = Date.now()) {
    const problem = problemIn(answer);
    const detail = problem.detail ?? (response.statusText || 'The answer is no problem document.');
    super(`${request} answered ${response.status}: ${detail}`);
    this.request = request;
    this.status = response.status;
    this.code = problem.code ?? 'unexpected-answer';
    this.detail = detail;
    this.fields = problem.errors ?? [];
    this.requestId = problem.requestId ?? response.headers.get('x-request-id');
    this.retryAfter = secondsToWait(response.headers.get('retry-after'), now);
    this.term = termIn(problem);
  }
}

function problemIn(answer: unknown): Problem {
  const isProblem = typeof answer === 'object' && answer !== null && 'code' in answer && 'detail' in answer;
  return isProblem ? (answer as Problem) : {};
}

const termIn = ({ offset, length }: Problem): TextPart | null =>
  offset === undefined || length === undefined ? null : { offset, length };

/** Seconds of a `Retry-After` header, which may also be a date (RFC 9110 §10.2.3); null when it is missing or malformed. */
export function secondsToWait(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

type JobEvent = Schemas['JobEventResponse'];

/** The job ended before its work was done. */
export abstract class JobEnded extends Error {
  constructor(
    message: string,
    /** The job as it ended; `job.result` has the results until then. */
    readonly job: JobEvent,
  ) {
    super(message);
  }
}

/** The job failed. */
export class JobFailed extends JobEnded {
  override readonly name = 'JobFailed';
  /** Reason for people. */
  readonly error: string | null;
  /** Reason for programs, such as `quota-exceeded`. */
  readonly code: string | null;

  constructor(job: JobEvent) {
    super(`Job ${job.queue_id} failed: ${job.error ?? 'no reason is given'}`, job);
    this.error = job.error;
    this.code = job.error_code;
  }
}

/** The job was cancelled. */
export class JobCancelled extends JobEnded {
  override readonly name = 'JobCancelled';

  constructor(job: JobEvent) {
    super(`Job ${job.queue_id} was cancelled`, job);
  }
}

/** The job takes longer than the given time. It goes on. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout';

  constructor(
    readonly jobId: string,
    readonly timeoutMs: number,
  ) {
    super(`Job ${jobId} has not ended within ${timeoutMs} ms; it goes on`);
  }
}
