/** An import that has been started. */
export class ImportJobResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example import_mbox-42 */
  jobId: string;
}

/** An import that has been started. */
export class ImportImapResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example import_imap-42 */
  jobId: string;
}
