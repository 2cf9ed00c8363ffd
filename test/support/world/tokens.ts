import { createHmac } from 'node:crypto';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface Claims {
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly exp: number;
}

/** The claims of an access token, unverified. */
export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims;

/** A JSON web token made by hand; without a key it has no signature. */
export function forge(claims: object, key: string | null, alg = key === null ? 'none' : 'HS256'): string {
  const head = `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}`;
  const hash = alg === 'HS512' ? 'sha512' : 'sha256';
  return `${head}.${key === null ? '' : createHmac(hash, key).update(head).digest('base64url')}`;
}
