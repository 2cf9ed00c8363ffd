import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { newId } from '../crypto/ids';
import { asyncContext, type RequestContext } from '../context/async-context';

/** Runs `work` as part of an HTTP request, so that deep code can see e.g. its `Idempotency-Key`. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return asyncContext.run({ log: { requestId: context.requestId }, request: context }, work);
}

/** The current HTTP request, or undefined in jobs and schedules. */
export function currentRequest(): RequestContext | undefined {
  return asyncContext.getStore()?.request;
}

const SAFE_REQUEST_ID = /^[\w-]{8,64}$/;
const logger = new Logger('Http');

/**
 * Gives every request an id (a proxy's `X-Request-Id` is kept when it looks sane), attaches it to all log lines,
 * and logs one line per answer. The path is logged without its query, which may hold search words.
 */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const requestId = given && SAFE_REQUEST_ID.test(given) ? given : newId();
  response.setHeader('X-Request-Id', requestId);
  const startedAt = performance.now();
  withRequestContext({ requestId, request }, () => {
    response.once('close', () => {
      logger.debug({
        msg: 'request',
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        aborted: !response.writableFinished,
      });
    });
    next();
  });
}
