/** A check of all archives that has been started. */
export class IntegrityCheckResponse {
  /** Follow it at `/api/jobs/{jobId}`; its result is the report.
   * @example check_integrity-42 */
  jobId: string;
}
