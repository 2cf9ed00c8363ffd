import type { NextFunction, Request, Response } from 'express';
import { DomainError } from './domain-error';

const TAKEN = ['application/json', 'multipart/form-data'];

/** A body in a media type nothing here reads would otherwise be ignored silently: 415 says so. */
export function requireKnownMediaType(request: Request, _response: Response, next: NextFunction): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if (!hasBody || request.is(TAKEN)) return next();
  next(
    new DomainError({
      code: 'unsupported-media-type',
      status: 415,
      detail: 'Send JSON with Content-Type: application/json.',
    }),
  );
}
