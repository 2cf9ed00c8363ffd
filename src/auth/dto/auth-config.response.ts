/** What a client needs to know before anybody has signed in. */
export class AuthConfigResponse {
  /** Whether new users may register. */
  allowRegistration: boolean;
  /** Mail providers whose mailboxes can be connected.
   * @example ["gmail"] */
  providers: string[];
}
