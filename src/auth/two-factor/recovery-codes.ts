import { Secret } from 'otpauth';

const CODES = 10;
/** 80 bits: 16 characters of base32. */
const CODE_BYTES = 10;

/** Ten new recovery codes, as people are shown them: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => new Secret({ size: CODE_BYTES }).base32.replace(/(.{4})(?=.)/g, '$1-'));

/** A one-time or recovery code as it is compared: without blanks and dashes, in capitals. */
export const canonicalCode = (typed: string): string => typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
