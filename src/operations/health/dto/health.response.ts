export class LivenessResponse {
  /** Always `ok`: the process answers.
   * @example ok */
  status: string;
  /** Version of the service.
   * @example 0.1.0 */
  version: string;
}

export class ReadinessResponse {
  /**
   * `ok` when every dependency responds; otherwise the response is a 503 problem naming the ones that do not.
   * @example ok
   */
  status: string;
}
