import { isIP } from 'node:net';

/** The installation as browsers know it (WebAuthn Level 3, section 4, "Relying Party"). */
export interface RelyingParty {
  /** Host name: passkeys work at this host only. */
  readonly id: string;
  /** Origin of the page, with scheme and port. */
  readonly origin: string;
}

/**
 * The relying party of an installation.
 * @param appUrl address that the installation is opened at
 * @returns null where browsers offer no passkeys: without HTTPS, except on localhost, and at a bare IP address
 */
export function relyingPartyOf(appUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(appUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !isLocal) return null;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origin };
}
