import type { NextFunction, Request, RequestHandler, Response } from 'express';

type Header = readonly [name: string, value: string | readonly string[]];

/**
 * One middleware in place of several that set the same headers on every answer: they run once, on an answer that is
 * not sent, and what they set is set from then on. For middlewares that look at nothing in the request.
 * @throws Error when one of them does not call `next` at once, or passes an error to it
 */
export function fixedHeaders(...middlewares: readonly RequestHandler[]): RequestHandler {
  const headers: readonly Header[] = [...headersOf(middlewares)];
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function headersOf(middlewares: readonly RequestHandler[]): Map<string, string | readonly string[]> {
  const headers = new Map<string, string | readonly string[]>();
  const response = {
    setHeader: (name: string, value: string | readonly string[]) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  for (const middleware of middlewares) {
    let called = false;
    const next: NextFunction = (error?: unknown) => {
      if (error) throw error instanceof Error ? error : new Error('A middleware failed');
      called = true;
    };
    void middleware({ headers: {} } as Request, response as unknown as Response, next);
    if (!called) throw new Error('A middleware with fixed headers did not call next');
  }
  return headers;
}
