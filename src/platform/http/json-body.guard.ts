import { CanActivate, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, Request, RequestHandler, Response } from 'express';
import { AppConfig } from '../config/app-config';
import { DomainError } from './domain-error';
import { setTimeout } from '../concurrency/timers';

export const LONG_BODY = 'mailroom:long-body';

/** For routes that take tens of thousands of ids; every other JSON body is small. */
export const LongBody = (): MethodDecorator => SetMetadata(LONG_BODY, true);

export const STREAMED_BODY = 'mailroom:streamed-body';

/** For routes that read the request as a stream themselves, whatever its media type and size. */
export const StreamedBody = (): MethodDecorator => SetMetadata(STREAMED_BODY, true);

/** Most levels of nesting: more than any route needs, and few enough for code that walks through a body recursively. */
export const MAX_NESTING = 32;

/** Whether arrays and objects are nested deeper than `levels`. */
export function isNestedDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeperThan(levels - 1, part));
}

/** Time limit for receiving a JSON body. The server itself sets none, since uploads take hours. */
const BODY_TIMEOUT_MS = 5 * 60_000;

export class UnsupportedMediaType extends DomainError {
  constructor() {
    super({
      code: 'unsupported-media-type',
      status: 415,
      detail: 'Send JSON with Content-Type: application/json.',
    });
  }
}

export class BodyTooDeep extends DomainError {
  constructor() {
    super({
      code: 'body-too-deep',
      status: 400,
      detail: `Arrays and objects in the body may be nested at most ${MAX_NESTING} levels deep.`,
    });
  }
}

export class BodyTooSlow extends DomainError {
  constructor() {
    super({ code: 'request-timeout', status: 408, detail: 'The request body did not arrive in time.' });
  }
}

/**
 * Refuses bodies that no route takes, and reads the others. It is the last of the guards: the service parses nothing that
 * comes without a token, and describes the errors of a body only to callers who may use the route.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  private readonly short: RequestHandler;
  private readonly long: RequestHandler;

  constructor(
    private readonly reflector: Reflector,
    config: AppConfig,
  ) {
    this.short = json({ limit: config.http.defaultJsonBytes });
    this.long = json({ limit: config.http.maxJsonBytes });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!hasBody(request) || this.reflector.get<boolean | undefined>(STREAMED_BODY, context.getHandler()))
      return true;
    // Otherwise a body of another media type, which nothing here reads, would be ignored silently.
    if (!request.is('application/json')) throw new UnsupportedMediaType();
    const isLong = this.reflector.get<boolean | undefined>(LONG_BODY, context.getHandler()) ?? false;
    return this.read(isLong ? this.long : this.short, request, http.getResponse<Response>());
  }

  private async read(parser: RequestHandler, request: Request, response: Response): Promise<boolean> {
    await parse(parser, request, response);
    if (isNestedDeeperThan(MAX_NESTING, request.body)) throw new BodyTooDeep();
    return true;
  }
}

/** RFC 9112 §6.3: a request has a body if and only if it states its length. */
function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
}

function parse(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new BodyTooSlow()), BODY_TIMEOUT_MS).unref();
    const next = (error?: Error | string): void => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(typeof error === 'string' ? new Error(error) : error);
    };
    void parser(request, response, next);
  });
}
