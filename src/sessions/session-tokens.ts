import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash, randomBytes } from 'node:crypto';
import type { UserRole } from '../access/authenticated-user';

/** Lifetime of an access token, seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export interface AccessClaims {
  /** User id. */
  readonly sub: string;
  /** Session id. */
  readonly sid: string;
  /** Role at the time of issue, for clients; the service reads the role from the database. */
  readonly role: UserRole;
}

/** Access tokens: HS256 JSON web tokens (RFC 7519) of 15 minutes. */
@Injectable()
export class SessionTokens {
  constructor(private readonly jwt: JwtService) {}

  issueAccessToken(claims: AccessClaims): string {
    return this.jwt.sign({ ...claims });
  }

  /** The session and user a token names, or null when it is malformed, forged or expired. */
  readAccessToken(token: string): { userId: string; sessionId: string } | null {
    let claims: Partial<AccessClaims>;
    try {
      claims = this.jwt.verify<Partial<AccessClaims>>(token);
    } catch {
      // Verification reads nothing but the token: any error means that the token is invalid.
      return null;
    }
    const { sub, sid } = claims;
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
  }
}

const TOKEN_BYTES = 32;

/** A new opaque token: 256 random bits as base64url. */
export const newRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** SHA-256, which is stored in place of the token. A token is random, so its plain hash cannot be reversed by guessing. */
export const hashRefreshToken = (token: string): Buffer => createHash('sha256').update(token).digest();
