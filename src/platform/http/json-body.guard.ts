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

/** Deeper than any body a route takes; whatever walks through one later goes this far down the stack and no further. */
export const MAX_NESTING = 32;

/** Whether arrays and objects lie in each other deeper than `levels`. */
export function isNestedDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeperThan(levels - 1, part));
}

/** For the whole of a JSON body: the server itself sets no limit, as uploads take hours. */
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
      detail: `Arrays and objects in the body may lie in each other at most ${MAX_NESTING} deep.`,
    });
  }
}

export class BodyTooSlow extends DomainError {
  constructor() {
    super({ code: 'request-timeout', status: 408, detail: 'The request body did not arrive in time.' });
  }
}

/**
 * Refuses bodies that no route takes, and reads the others. The last of the guards, when the request has been let in: no request without a token makes the service parse
 * anything, and what is wrong with a body is said only to who may use the route.
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
    // A body in a media type nothing here reads would otherwise be ignored silently.
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

/** RFC 9112 §6.3: a request has a body exactly when it says how long it is. */
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
