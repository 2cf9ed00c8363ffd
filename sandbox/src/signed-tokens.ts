import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fixed key: tokens must survive a restart of the simulator, and protect nothing but generated mail. */
const DEVELOPMENT_KEY = 'mailroom-sandbox-development-key';

export type TokenKind = 'code' | 'access' | 'refresh';

export interface TokenClaims {
  readonly kind: TokenKind;
  readonly email: string;
  /** Space-separated, as granted. */
  readonly scope: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly expiresAt?: number;
  readonly redirectUri?: string;
  /** PKCE S256 challenge (RFC 7636). */
  readonly codeChallenge?: string;
  readonly offline?: boolean;
}

const PREFIX: Record<TokenKind, string> = { code: '4/0', access: 'ya29.', refresh: '1//0' };

/** A self-contained token, signed and unique. */
export function signToken(claims: TokenClaims): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, nonce: randomBytes(6).toString('hex') })).toString(
    'base64url',
  );
  return `${PREFIX[claims.kind]}${payload}.${signature(payload)}`;
}

/** The claims of a genuine token of that kind; undefined for anything else. Expiry is left to the caller. */
export function readToken(kind: TokenKind, token: string): TokenClaims | undefined {
  if (!token.startsWith(PREFIX[kind])) return undefined;
  const [payload = '', given = '', ...rest] = token.slice(PREFIX[kind].length).split('.');
  const expected = Buffer.from(signature(payload));
  const actual = Buffer.from(given);
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
  return claims.kind === kind ? claims : undefined;
}

function signature(payload: string): string {
  return createHmac('sha256', DEVELOPMENT_KEY).update(payload).digest('base64url');
}
