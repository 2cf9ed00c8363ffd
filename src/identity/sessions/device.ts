import type { Request } from 'express';

/** The client that opened a session, for users who look at their sessions. */
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
