import { createHash } from 'node:crypto';
import { readToken, signToken, type TokenClaims } from './signed-tokens';

export const CLIENT_ID = '000000000000-sandbox.apps.sandbox.mailroom.test';
export const CLIENT_SECRET = 'sandbox-client-secret';
export const ACCESS_TOKEN_SECONDS = 3599;
const MAX_REMEMBERED = 1000;
const CODE_LIFETIME_MS = 10 * 60_000;

export interface Authorization {
  readonly email: string;
  readonly scope: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  /** `access_type=offline` with `prompt=consent`: a refresh token is given out. */
  readonly offline: boolean;
}

export interface TokenSet {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: 'Bearer';
  readonly refresh_token?: string;
}

/** `invalid_grant` with Google's descriptions. */
export class InvalidGrant extends Error {}

const REVOKED = 'Token has been expired or revoked.';

/** Gives out and checks tokens; only what was revoked or used up is remembered, and only until the next start. */
export class Grants {
  private readonly usedCodes = new Set<string>();
  /** Per address: tokens issued up to this instant are dead, as revoking one kills the whole grant. */
  private readonly revokedUpTo = new Map<string, number>();
  private accessTokensExpiredUpTo = 0;
  /** Tokens whose signature was found right: clients send the same one with every call. */
  private readonly genuineAccess = new Map<string, TokenClaims>();

  issueCode(authorization: Authorization): string {
    const issuedAt = this.issueInstant(authorization.email);
    const { codeChallenge, ...rest } = authorization;
    return signToken({
      kind: 'code',
      ...rest,
      ...(codeChallenge === undefined ? {} : { codeChallenge }),
      issuedAt,
      expiresAt: issuedAt + CODE_LIFETIME_MS,
    });
  }

  exchangeCode(code: string, redirectUri: string, verifier: string | undefined): TokenSet {
    const claims = readToken('code', code);
    if (claims === undefined || this.usedCodes.has(code) || this.isDead(claims))
      throw new InvalidGrant('Malformed auth code.');
    if (claims.redirectUri !== redirectUri) throw new InvalidGrant('Bad Request');
    if (claims.codeChallenge !== undefined) {
      if (verifier === undefined) throw new InvalidGrant('Missing code verifier.');
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      if (challenge !== claims.codeChallenge) throw new InvalidGrant('Invalid code verifier.');
    }
    this.usedCodes.add(code);
    const tokens = this.accessToken(claims);
    if (claims.offline !== true) return tokens;
    const { email, scope } = claims;
    return {
      ...tokens,
      refresh_token: signToken({ kind: 'refresh', email, scope, issuedAt: this.issueInstant(email) }),
    };
  }

  refresh(refreshToken: string): TokenSet {
    const claims = readToken('refresh', refreshToken);
    if (claims === undefined) throw new InvalidGrant('Bad Request');
    if (this.isDead(claims)) throw new InvalidGrant(REVOKED);
    return this.accessToken(claims);
  }

  /** The claims of a living access token. */
  authenticate(accessToken: string): TokenClaims | undefined {
    const claims = this.genuineAccess.get(accessToken) ?? readToken('access', accessToken);
    if (claims === undefined || this.isDead(claims) || claims.issuedAt <= this.accessTokensExpiredUpTo) {
      return undefined;
    }
    if (this.genuineAccess.size >= MAX_REMEMBERED) this.genuineAccess.clear();
    this.genuineAccess.set(accessToken, claims);
    return claims;
  }

  /** Kills every token of the address the token belongs to; throws InvalidGrant when there is nothing to revoke. */
  revoke(token: string): void {
    const claims = readToken('access', token) ?? readToken('refresh', token);
    if (claims === undefined || this.isDead(claims)) throw new InvalidGrant(REVOKED);
    this.revokedUpTo.set(claims.email, Date.now());
  }

  expireAccessTokens(): void {
    this.accessTokensExpiredUpTo = Date.now();
  }

  private accessToken({ email, scope }: TokenClaims): TokenSet {
    const issuedAt = this.issueInstant(email);
    return {
      access_token: signToken({
        kind: 'access',
        email,
        scope,
        issuedAt,
        expiresAt: issuedAt + ACCESS_TOKEN_SECONDS * 1000,
      }),
      expires_in: ACCESS_TOKEN_SECONDS,
      scope,
      token_type: 'Bearer',
    };
  }

  /** Always later than the last revocation, even within one millisecond of it. */
  private issueInstant(email: string): number {
    return Math.max(Date.now(), (this.revokedUpTo.get(email) ?? 0) + 1, this.accessTokensExpiredUpTo + 1);
  }

  private isDead(claims: TokenClaims): boolean {
    return (
      claims.issuedAt <= (this.revokedUpTo.get(claims.email) ?? 0) ||
      (claims.expiresAt ?? Infinity) < Date.now()
    );
  }
}
