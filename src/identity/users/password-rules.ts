import { createRequire } from 'node:module';
import type { dictionary } from '@zxcvbn-ts/language-common';
import { ValidationFailed } from '../../platform/http/domain-error';

/** The reason why a password is among the first that an attacker would try; a stable name for clients. */
export type PasswordWeakness = 'password-common' | 'password-address' | 'password-product';

/** Names that an attacker knows without knowing the person. */
const PRODUCT = 'mailroom';
/** The most common passwords are also refused with digits or signs behind them. */
const MOST_COMMON = 1_000;
/** Shorter names before the `@` stand at the beginning of too many good passwords. */
const SHORTEST_LOCAL_PART = 3;

const REASONS: Record<PasswordWeakness, string> = {
  'password-common': 'is one of the passwords that everybody tries first',
  'password-address': 'must not be the e-mail address, or its part before the @, also with digits behind it',
  'password-product': 'must not be the name of this service, also with digits behind it',
};

interface CommonPasswords {
  readonly all: ReadonlySet<string>;
  readonly most: ReadonlySet<string>;
}

let loaded: CommonPasswords | undefined;

/** The list of the package, most common first. It is read when the first password is chosen: few processes need it. */
function commonPasswords(): CommonPasswords {
  if (!loaded) {
    const load = createRequire(__filename);
    const list = (load('@zxcvbn-ts/language-common') as { dictionary: typeof dictionary }).dictionary[
      'passwords-common'
    ];
    loaded = { all: new Set(list), most: new Set(list.slice(0, MOST_COMMON)) };
  }
  return loaded;
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/** Finds out why a password would be tried first; undefined for all others. @param email of its user, normalised */
export function passwordWeakness(password: string, email: string): PasswordWeakness | undefined {
  const lower = password.normalize('NFKC').toLowerCase().trim();
  const base = letters(lower).replace(/^\p{N}+|\p{N}+$/gu, '');
  if (base === PRODUCT) return 'password-product';
  const address = email.normalize('NFKC').toLowerCase();
  const local = letters(address.slice(0, Math.max(0, address.lastIndexOf('@'))));
  const isLocal = local.length >= SHORTEST_LOCAL_PART && [letters(lower), base].includes(local);
  if (lower === address || isLocal) return 'password-address';
  const { all, most } = commonPasswords();
  const word = lower.replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, '');
  const isListed = all.has(lower) || all.has(word) || most.has(base);
  return isListed ? 'password-common' : undefined;
}

/**
 * Refuses a new password that would be tried first. Passwords that were chosen before stay good.
 * @param field of the request @throws ValidationFailed with the reason
 */
export function requireUncommonPassword(password: string, of: { field: string; email: string }): void {
  const reason = passwordWeakness(password, of.email);
  if (reason !== undefined)
    throw new ValidationFailed([{ field: of.field, message: `${of.field} ${REASONS[reason]}`, reason }]);
}
