import type { Request } from 'express';

/** Where a session was opened, for the person who looks at their sessions. */
export interface Device {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

export function deviceOf(request: Pick<Request, 'get' | 'ip'>): Device {
  return {
    userAgent: request.get('user-agent')?.slice(0, 400) ?? null,
    ipAddress: request.ip?.slice(0, 64) ?? null,
  };
}

/** A cookie's text. The parser turns values that begin with `j:` into objects; those are nobody's. */
export function cookieOf(request: Request, name: string): string | undefined {
  const value = (request.cookies as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
