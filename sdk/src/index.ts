export type { Session, SessionStart, TotpCode } from './auth/session.js';
export { type FieldError, JobCancelled, JobEnded, JobFailed, JobTimeout, MailroomError } from './errors.js';
export type { EventOptions } from './events/reconnecting-stream.js';
export type { ServerEvent } from './events/sse-parser.js';
export type { Api } from './generated/operations.js';
export type { RetryOptions } from './http/retries.js';
export type { Job, WaitOptions } from './jobs/wait-for-job.js';
export {
  createMailroom,
  type Credentials,
  type EventStreams,
  type Mailroom,
  type MailroomHelpers,
  type MailroomOptions,
} from './mailroom.js';
export type { Fetch } from './operations/operation-caller.js';
export type {
  Answer,
  Arguments,
  CallOptions,
  Item,
  LinkableId,
  Method,
  OperationId,
  PagedId,
  Schemas,
} from './operations/operation-types.js';
export { Download } from './transfer/download.js';
export type { ResumableFile, UploadFileOptions, UploadProgress } from './transfer/resumable-upload.js';
export type { UploadFile, UploadSource } from './transfer/upload.js';
export {
  type RejectionCode,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookRejected,
} from './webhooks/verify-webhook.js';
export type { JobEventData, WebhookData, WebhookEvent } from './webhooks/webhook-events.js';
