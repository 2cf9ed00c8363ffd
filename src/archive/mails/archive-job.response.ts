/** A job that has been started. */
export class ArchiveJobResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example archive_mails-42 */
  jobId: string;
}
