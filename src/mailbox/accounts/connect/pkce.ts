import { createHash, randomBytes } from 'node:crypto';

/** A code verifier (RFC 7636 §4.1): 256 random bits, 43 characters. */
export const newCodeVerifier = (): string => randomBytes(32).toString('base64url');

/** Its `S256` challenge (RFC 7636 §4.2). */
export const codeChallengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');
