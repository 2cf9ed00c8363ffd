import cookieParser from 'cookie-parser';
import type { RequestHandler } from 'express';

/** Reads the cookies of requests that have some; those of programs have none. */
export function cookies(): RequestHandler {
  const parse = cookieParser();
  return (request, response, next) => {
    if (request.headers.cookie === undefined) next();
    else parse(request, response, next);
  };
}
