import type { NextFunction, Request, Response } from 'express';

/** A client has so long to notice that its request has been answered before all of it was sent. */
const LINGER_MS = 10_000;

/**
 * What is refused before its body has been read (no token, too large) is answered, and the rest of the body thrown
 * away for a while: closing the connection at once would take the answer with it. Then it is closed.
 */
export function lingerForRest(request: Request, response: Response, next: NextFunction): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
    request.resume();
  });
  next();
}
