/** The job that does it. */
export class StartedJobResponse {
  /** `<kind>-<number>`
   * @example bulk_operation-42 */
  jobId: string;
}
