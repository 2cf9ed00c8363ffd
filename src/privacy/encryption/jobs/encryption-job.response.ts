/** An encryption that has been started. */
export class EncryptionJobResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example encrypt_archives-42 */
  jobId: string;

  /** For people.
   * @example "The archive is being encrypted." */
  message: string;
}
