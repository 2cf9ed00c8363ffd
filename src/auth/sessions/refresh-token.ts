import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new opaque token: 256 random bits as base64url. */
export const newRefreshToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored of it. A token is random, so a plain hash cannot be guessed backwards. */
export const hashRefreshToken = (token: string): Buffer => createHash('sha256').update(token).digest();
