/** Claims of an ID token that name a mailbox (OpenID Connect Core, section 5.1). */
export interface MailboxClaims {
  /** Address of the mailbox, lower-case. */
  readonly email: string;
  /** User name of the login, which may be another address of the person. */
  readonly username: string;
}

const ADDRESS = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/;
const LONGEST = 320;

const addressOf = (claim: unknown): string | null =>
  typeof claim === 'string' && claim.length <= LONGEST && ADDRESS.test(claim) ? claim : null;

/**
 * Reads the address from an ID token. The token comes from the token endpoint by TLS, so that its signature need not be
 * checked (OpenID Connect Core, section 3.1.3.7, item 6); its audience is. Proof of the mailbox is the login by IMAP that
 * follows.
 * @returns null when the token is not for this client, or names no address
 */
export function readMailboxClaims(idToken: string | undefined, clientId: string): MailboxClaims | null {
  const payload = idToken?.split('.')[1];
  if (payload === undefined) return null;
  let claims: Record<string, unknown> | null;
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown> | null;
  } catch {
    // The token is not one: treated like a missing one.
    return null;
  }
  if (typeof claims !== 'object' || claims === null || ![claims.aud].flat().includes(clientId)) return null;
  const preferred = addressOf(claims.preferred_username);
  const email = addressOf(claims.email) ?? preferred;
  return email === null ? null : { email: email.toLowerCase(), username: preferred ?? email };
}
