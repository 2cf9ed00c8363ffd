/** A deletion that has been started. */
export class UserDeletionResponse {
  /** Follow it at `/api/jobs/{jobId}` if you started it, or among `/api/admin/jobs`.
   * @example delete_user-42 */
  jobId: string;
  /** @example "The user is locked out, and everything of theirs is being removed." */
  message: string;
}
