/** A deletion that has been started. */
export class UserDeletionResponse {
  /** The job: `/api/jobs/{jobId}` for the administrator who started it, `/api/admin/jobs` for all.
   * @example delete_user-42 */
  jobId: string;
  /** @example "The user is locked out, and everything of theirs is being removed." */
  message: string;
}
