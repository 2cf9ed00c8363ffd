export class RuleRunResponse {
  /** The job that does it; see `GET /api/jobs/{jobId}`.
   * @example run_rule-42 */
  jobId: string;
  /** For people.
   * @example "Rule run started" */
  message: string;
}
