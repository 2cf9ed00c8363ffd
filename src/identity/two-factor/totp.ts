import { Secret, TOTP } from 'otpauth';

/** Time-based one-time codes (RFC 6238) as every authenticator app supports them: SHA-1, 6 digits, 30 seconds. */
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** Clocks differ: a code is good in the step before its own and in the one after (RFC 6238, section 5.2). */
const TOLERATED_STEPS = 1;
/** 160 bits, as long as the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const ISSUER = 'Mailroom';

/** A new shared secret in base32 (RFC 4648), without padding. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/**
 * The content of the QR code for authenticator apps: `otpauth://totp/Mailroom:ada%40example.org?issuer=Mailroom&secret=…`.
 * @param secret base32
 * @param email named in the app beside the code
 */
export const otpauthUrl = (secret: string, email: string): string => codesOf(secret, email).toString();

/** Whether a text could be a one-time code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/**
 * The time step (30-second intervals since 1970) whose code this is, at most one away from now; null when the code is
 * wrong. The caller makes sure that no step is used twice.
 * @param secret base32
 * @param now milliseconds since 1970
 */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  if (!isTotpCode(code)) return null;
  const delta = codesOf(secret).validate({ token: code, timestamp: now, window: TOLERATED_STEPS });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function codesOf(secret: string, label?: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
}

const CODES = 10;
/** 80 bits: 16 characters of base32. */
const CODE_BYTES = 10;

/** Ten new recovery codes in the form that users see: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => new Secret({ size: CODE_BYTES }).base32.replace(/(.{4})(?=.)/g, '$1-'));

/** The form in which one-time and recovery codes are compared: without blanks and dashes, in capitals. */
export const canonicalCode = (typed: string): string => typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
