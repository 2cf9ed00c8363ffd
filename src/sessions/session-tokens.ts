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
  /** Role at the time of issue, for clients; the service itself asks the database. */
  readonly role: UserRole;
}

/** Access tokens: HS256 JSON web tokens (RFC 7519) of 15 minutes. */
@Injectable()
export class SessionTokens {
  constructor(private readonly jwt: JwtService) {}

  issue(claims: AccessClaims): string {
    return this.jwt.sign({ ...claims });
  }

  /** The session and user a token names, or null when it is malformed, forged or expired. */
  read(token: string): { userId: string; sessionId: string } | null {
    let claims: Partial<AccessClaims>;
    try {
      claims = this.jwt.verify<Partial<AccessClaims>>(token);
    } catch {
      // Verification touches nothing but the token: whatever it throws means the token is no good.
      return null;
    }
    const { sub, sid } = claims;
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
  }
}

const TOKEN_BYTES = 32;

/** A new opaque token: 256 random bits as base64url. */
export const newRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored of it. A token is random, so a plain hash cannot be guessed backwards. */
export const hashRefreshToken = (token: string): Buffer => createHash('sha256').update(token).digest();
