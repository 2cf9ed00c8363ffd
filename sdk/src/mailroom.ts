import { anonymous, Authentication, GivenToken } from './auth/authentication.js';
import { CookieSession } from './auth/cookie-session.js';
import { Session, SessionAuthentication, SessionStart } from './auth/session.js';
import { MailroomError } from './errors.js';
import { EventOptions, readReconnecting } from './events/reconnecting-stream.js';
import type { ServerEvent, StreamState } from './events/sse-parser.js';
import { Api, OPERATIONS } from './generated/operations.js';
import { Job, waitForJob, WaitOptions } from './jobs/wait-for-job.js';
import { addressOf, CallerOptions, OperationCaller } from './operations/operation-caller.js';
import type {
  Arguments,
  CallOptions,
  EventData,
  LinkableId,
  OperationId,
  Schemas,
} from './operations/operation-types.js';
import { itemsFrom, pagesFrom, Paging } from './operations/paging.js';
import {
  type ResumableFile,
  ResumableUpload,
  type UploadCalls,
  type UploadFileOptions,
} from './transfer/resumable-upload.js';

/** Credentials of the caller. */
export type Credentials =
  /** An API key (`mrk_…`). */
  | { readonly apiKey: string }
  /** An access token, or a function that returns one; it is called again when the service refuses a token. */
  | { readonly accessToken: string | (() => string | Promise<string>) }
  /** The session cookies of the browser, renewed for all of its tabs when the service asks for it. */
  | { readonly cookies: true }
  /** A user, who is signed in with the first call, or a session that is continued. */
  | SessionStart;

export interface MailroomOptions extends CallerOptions {
  /** Credentials; without them only public operations can be called. */
  readonly credentials?: Credentials;
  /** Called with every new pair of tokens of a session, so that another process can use the refresh token. */
  readonly onSession?: (session: Session) => void;
}

const STREAMS = {
  jobs: 'jobs.streamAll',
  notifications: 'notifications.streamToasts',
  all: 'liveUpdates.stream',
} as const;

/**
 * Data of the events of a stream. `jobs`: all the caller's, the unfinished ones first, then every change. `notifications`:
 * events of the caller, as far as the `_toast` preferences want them. `all`: both, and the caller's mailbox accounts, as events
 * named `job`, `notification` and `account`; for signed-in users only.
 */
export type EventStreams = { [Stream in keyof typeof STREAMS]: EventData<(typeof STREAMS)[Stream]> };

type Events<Stream extends keyof EventStreams> = AsyncGenerator<
  ServerEvent<EventStreams[Stream]>,
  void,
  undefined
>;

/** Helpers of a client that take more than one call. */
export interface MailroomHelpers {
  /**
   * Waits until a job has ended.
   * @returns the completed job; `failed` and `result` report items that could not be done
   * @throws JobFailed, JobCancelled, JobTimeout, the signal's reason
   */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Job>;
  /**
   * Events as they happen; a lost connection is replaced. After that `notifications` continue where they were; `jobs` begin
   * with the unfinished ones again, so that an end may be missed: wait for one job with `waitForJob`.
   */
  events<Stream extends keyof EventStreams>(stream: Stream, options?: EventOptions): Events<Stream>;
  /**
   * The address of an operation that answers a GET, for what a browser opens by itself with the session's cookies: links,
   * images, downloads.
   * @throws TypeError for arguments that go into headers, such as a passphrase
   */
  urlOf<Id extends LinkableId>(operation: Id, args: Arguments<Id>): string;
  /**
   * Sends an mbox file in chunks, and starts its import into the archive of a mailbox. It continues by itself after a lost
   * connection, and later with `uploadId`.
   * @throws MailroomError, TypeError for another file than the one that was begun with, what reading the file throws, the
   *   signal's reason
   */
  uploadFile(accountId: string, file: ResumableFile, options?: UploadFileOptions): Promise<{ jobId: string }>;
  /** Ends the session of a signed-in user, its tokens included; API keys and given tokens stay valid. */
  signOut(options?: CallOptions): Promise<void>;
}

/** A client of Mailroom: one method for each operation, and helpers. */
export type Mailroom = Api & MailroomHelpers;

/** A client of the Mailroom at `baseUrl`, the address without `/api`. No request is sent until a method is called. */
export function createMailroom({ credentials, onSession, ...options }: MailroomOptions): Mailroom {
  const publicCaller = new OperationCaller(options, anonymous);
  const authentication = authenticationOf(credentials, publicCaller, onSession);
  const caller = new OperationCaller(options, authentication);
  return { ...apiOf(caller), ...helpersOf(caller, authentication, options) };
}

function authenticationOf(
  credentials: Credentials | undefined,
  caller: OperationCaller,
  onSession: MailroomOptions['onSession'],
): Authentication {
  if (!credentials) return anonymous;
  if ('apiKey' in credentials) return new GivenToken(credentials.apiKey);
  if ('accessToken' in credentials) return new GivenToken(credentials.accessToken);
  if ('cookies' in credentials) return new CookieSession(() => caller.call('auth.refresh', { body: {} }));
  const calls = {
    login: (body: Schemas['LoginDto']) => caller.call('auth.login', { body }),
    refresh: (refreshToken: string) => caller.call('auth.refresh', { body: { refresh_token: refreshToken } }),
  };
  return new SessionAuthentication(credentials, calls, onSession);
}

type Values = Readonly<Record<string, unknown>>;
type AnyMethod = (args?: Values, options?: CallOptions) => Promise<unknown>;

/** The methods of the table of operations, with the types of `Api`. */
function apiOf(caller: OperationCaller): Api {
  const groups: Record<string, Record<string, AnyMethod>> = {};
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const call: AnyMethod = (args, options) =>
      caller.call(id as OperationId, args as Arguments<OperationId> | undefined, options);
    const group = (groups[operation.group] ??= {});
    group[operation.name] = 'paging' in operation ? withPages(call, operation.paging) : call;
  }
  return groups as unknown as Api;
}

function withPages(call: AnyMethod, paging: Paging): AnyMethod {
  const pages = (args: Values = {}, options?: CallOptions): AsyncGenerator<unknown, void, undefined> =>
    pagesFrom(paging, args, (next) => call(next, options));
  const iterate = (args?: Values, options?: CallOptions): AsyncGenerator<unknown, void, undefined> =>
    itemsFrom(paging, pages(args, options));
  return Object.assign((args?: Values, options?: CallOptions) => call(args, options), { pages, iterate });
}

function helpersOf(
  caller: OperationCaller,
  authentication: Authentication,
  { baseUrl, retries }: CallerOptions,
): MailroomHelpers {
  return {
    waitForJob: (jobId, options) =>
      waitForJob(
        {
          stream: (id, signal, alive) =>
            caller.events('jobs.streamOne', { jobId: id }, { signal }, { alive }),
          read: (id, signal) => caller.call('jobs.get', { jobId: id }, { signal }),
        },
        jobId,
        options,
      ),
    events: (stream, options) =>
      readReconnecting((state, signal, alive) => connect(caller, stream, { state, signal, alive }), options),
    urlOf: (id, args) => addressOf(baseUrl, OPERATIONS[id], args),
    uploadFile: (accountId, file, upload) =>
      new ResumableUpload(uploadCalls(caller, accountId, upload?.signal), retries, upload).run(file),
    signOut: async (options) => {
      if (authentication instanceof GivenToken || authentication === anonymous) return;
      if (authentication instanceof SessionAuthentication && !authentication.isOpen) return;
      await caller.call('auth.logout', undefined, options).catch((error: unknown) => {
        // The session had ended already.
        if (!(error instanceof MailroomError) || error.status !== 401) throw error;
      });
      if (authentication instanceof SessionAuthentication) authentication.forget();
    },
  };
}

function uploadCalls(
  caller: OperationCaller,
  accountId: string,
  signal: AbortSignal | undefined,
): UploadCalls {
  const options = { signal };
  return {
    create: (filename, size) =>
      caller.call('import.createUpload', { accountId, body: { filename, size } }, options),
    read: (uploadId) => caller.call('import.getUpload', { accountId, uploadId }, options),
    send: (uploadId, uploadOffset, body) =>
      caller.call('import.uploadChunk', { accountId, uploadId, uploadOffset, body }, options),
    complete: (uploadId) => caller.call('import.completeUpload', { accountId, uploadId }, options),
  };
}

interface Connection {
  readonly state: StreamState;
  readonly signal: AbortSignal;
  readonly alive: () => void;
}

function connect<Stream extends keyof EventStreams>(
  caller: OperationCaller,
  stream: Stream,
  { state, signal, alive }: Connection,
): Promise<AsyncIterable<ServerEvent<EventStreams[Stream]>>> {
  const id = STREAMS[stream];
  const resumes = 'headers' in OPERATIONS[id] && state.lastEventId !== '';
  return caller.events(id, resumes ? { lastEventId: state.lastEventId } : {}, { signal }, { state, alive });
}
