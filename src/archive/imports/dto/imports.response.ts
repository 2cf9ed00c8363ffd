/** An import that has been started. */
export class ImportJobResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example import_mbox-42 */
  jobId: string;
}

/** An import that has been started. */
export class ImportImapResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example import_imap-42 */
  jobId: string;
}
