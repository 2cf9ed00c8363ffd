import type { Request } from 'express';

/** A cookie's text. The parser turns values that begin with `j:` into objects; those are nobody's. */
export function cookieOf(request: Request, name: string): string | undefined {
  const value = (request.cookies as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
