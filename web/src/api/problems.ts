import { MailroomError, type FieldError } from '@mailroom/sdk';

/** Why something did not work, as people read it. */
export interface Problem {
  /** `offline` when there was no answer at all, `unexpected` when it is a mistake of this page. */
  readonly code: string;
  readonly status: number | null;
  /** The service's own text, for codes that have no text here. */
  readonly detail: string | null;
  readonly requestId: string | null;
  /** Seconds after which it may work. */
  readonly retryAfter: number | null;
  readonly fields: readonly FieldError[];
}

const NO_ANSWER = { status: null, detail: null, requestId: null, retryAfter: null, fields: [] };

/** A refusal of the service, a connection that is away, or a mistake of this page. */
export function toProblem(error: unknown): Problem {
  if (error instanceof MailroomError) {
    const { code, status, detail, requestId, retryAfter, fields } = error;
    return { code, status, detail, requestId, retryAfter, fields };
  }
  if (isLostPart(error) || isUnanswered(error)) return { ...NO_ANSWER, code: 'offline' };
  if (isUnreadableFile(error)) return { ...NO_ANSWER, code: 'file-unreadable' };
  return { ...NO_ANSWER, code: 'unexpected', detail: error instanceof Error ? error.message : String(error) };
}

/** `fetch` answers a connection that fails with a TypeError. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** The service, or what stands before it, is away; or the connection stalled. */
const PASSING: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** A file of the person's that was moved, changed or deleted since it was chosen. */
const isUnreadableFile = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotReadableError' || error.name === 'NotFoundError');

/**
 * Milliseconds until a retry may succeed, or null when a person has to do something first.
 * @param otherwise milliseconds where nothing says how long
 */
export function waitBeforeRetry(error: unknown, otherwise: number): number | null {
  if (isUnanswered(error)) return otherwise;
  if (!(error instanceof MailroomError)) return null;
  const { status, code, retryAfter } = error;
  if (retryAfter !== null) return retryAfter * 1000;
  return PASSING.has(status) || code === 'upload-busy' ? otherwise : null;
}

/** A part of the page that could not be loaded: the service is away, or was updated under the page. */
export class LostPart extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be loaded', { cause });
  }
}

export const isLostPart = (error: unknown): boolean => error instanceof LostPart;

/** The person has to sign in again. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof MailroomError &&
  error.status === 401 &&
  (error.code === 'unauthorized' || error.code === 'invalid-refresh-token');

/** It is gone, or was never there. */
export const isNotThere = (error: unknown): boolean => error instanceof MailroomError && error.status === 404;

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof MailroomError && error.code === code;
