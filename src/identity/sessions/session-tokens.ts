import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createHash, randomBytes } from 'node:crypto';
import type { UserRole } from '../../platform/access/authenticated-user';

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

/** Tokens whose signature is remembered; the one that was seen first goes when there are more. */
const MAX_VERIFIED = 5_000;

/** The session that a token names. */
export interface NamedSession {
  readonly userId: string;
  readonly sessionId: string;
}

interface VerifiedToken extends NamedSession {
  /** `exp`, in milliseconds. */
  readonly expiresAt: number;
}

/**
 * Access tokens: HS256 JSON web tokens (RFC 7519) of 15 minutes. A token is verified once and then known until it
 * expires: browsers send the same one with every request.
 */
@Injectable()
export class SessionTokens {
  private readonly verified = new Map<string, VerifiedToken>();

  constructor(private readonly jwt: JwtService) {}

  issueAccessToken(claims: AccessClaims): string {
    return this.jwt.sign({ ...claims });
  }

  /** The session and user a token names, or null when it is malformed, forged or expired. */
  readAccessToken(token: string): NamedSession | null {
    const known = this.verified.get(token) ?? this.verify(token);
    if (known && known.expiresAt > Date.now()) return known;
    this.verified.delete(token);
    return null;
  }

  private verify(token: string): VerifiedToken | null {
    let claims: Partial<AccessClaims> & { readonly exp?: number };
    try {
      claims = this.jwt.verify<typeof claims>(token);
    } catch {
      // Verification reads nothing but the token: any error means that the token is invalid.
      return null;
    }
    const { sub, sid, exp } = claims;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return null;
    const verified = { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
    this.verified.set(token, verified);
    if (this.verified.size > MAX_VERIFIED) this.verified.delete(this.verified.keys().next().value!);
    return verified;
  }
}

const TOKEN_BYTES = 32;

/** A new opaque token: 256 random bits as base64url. */
export const newRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** SHA-256, which is stored in place of the token. A token is random, so its plain hash cannot be reversed by guessing. */
export const hashRefreshToken = (token: string): Buffer => createHash('sha256').update(token).digest();
