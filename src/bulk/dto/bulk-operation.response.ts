export class BulkOperationResponse {
  /** The job that does it; see `GET /api/jobs/{jobId}`.
   * @example bulk_operation-42 */
  jobId: string;
  /** For people.
   * @example "Bulk operation started: 1,000 messages" */
  message: string;
}
