import { isEmail } from 'class-validator';
import { normalizeEmail } from '../../../users/email';

/** Claims as a provider sent them (OpenID Connect Core, section 5.1); none is trusted to be of its type. */
export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_EMAIL = 320;
const LONGEST_NAME = 200;

/**
 * The address of a person that the provider has verified, normalised; null without one. `email_verified` must be
 * the boolean: some providers leave it out for addresses anybody can claim.
 */
export function verifiedEmailOf({ email, email_verified: verified }: Claims): string | null {
  if (verified !== true || typeof email !== 'string') return null;
  const normalized = normalizeEmail(email);
  // The Kelvin sign becomes an ordinary k, and the address somebody else's.
  if (countOfAscii(email.trim()) !== countOfAscii(normalized)) return null;
  return normalized.length <= LONGEST_EMAIL && isEmail(normalized) ? normalized : null;
}

const countOfAscii = (text: string): number => text.replace(/[^\p{ASCII}]/gu, '').length;

/** The name to show for a person: one line that can be stored; null without one. */
export function displayNameOf({ name }: Claims): string | null {
  if (typeof name !== 'string') return null;
  const printable = name.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return Array.from(printable).slice(0, LONGEST_NAME).join('').trim() || null;
}
