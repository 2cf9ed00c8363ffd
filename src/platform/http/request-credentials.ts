import type { Request } from 'express';

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1). */
export function bearerTokenOf(request: Pick<Request, 'get'>): string | undefined {
  const [scheme, token] = (request.get('authorization') ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/** A cookie's text. The parser turns values that begin with `j:` into objects, which no cookie of ours is. */
export function cookieOf(request: Pick<Request, 'cookies'>, name: string): string | undefined {
  const value = (request.cookies as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
