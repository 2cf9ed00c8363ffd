export class BulkOperationResponse {
  /** Id of the job; see `GET /api/jobs/{jobId}`.
   * @example bulk_operation-42 */
  jobId: string;
  /** Confirmation to show to the user.
   * @example "Bulk operation started: 1,000 messages" */
  message: string;
}
