import { RequestMethod, type INestApplicationContext, type ParamData } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants';
import { ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import { Writable } from 'node:stream';
import type { SessionUser } from '../../../src/platform/access/authenticated-user';
import { withContext } from '../../../src/platform/context/async-context';
import { toDomainError } from '../../../src/platform/http/to-domain-error';
import { toProblem } from '../../../src/platform/http/problem.response';
import type { ApiAnswer } from '../api-client';
import { checkDocumented } from '../openapi/expect-documented';
import type { UserApi } from '../tested-service';

interface LocalRequest {
  readonly headers?: Record<string, string>;
}

type Handler = (request: Request, response: object, next: () => void) => Promise<unknown>;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: readonly string[];
  readonly status: number;
  readonly handle: Handler;
}

const PREFIX = '/api';

/**
 * The controllers of a feature, called by route as the router would call them, with their parameters, pipes and problem
 * documents, and no HTTP: there are no guards and interceptors, and a stream is answered when it has ended.
 */
export class LocalRoutes {
  private readonly routes: readonly Route[];

  constructor(context: INestApplicationContext) {
    const creator = context.get(ExternalContextCreator, { strict: false });
    this.routes = [...context.get(ModulesContainer)]
      .flatMap(([key, { controllers }]) => {
        // It looks for the classes of pipes in the module of a provider: a controller is none.
        const ofModule = Object.assign(Object.create(creator) as ExternalContextCreator, {
          getContextModuleKey: () => key,
        });
        return [...controllers.values()].flatMap(({ instance }) =>
          instance ? routesOf(instance, ofModule) : [],
        );
      })
      // A route that names the path wins over one that would take a part of it for a parameter.
      .sort((a, b) => a.parameters.length - b.parameters.length);
  }

  async send(
    user: SessionUser,
    method: string,
    target: string,
    body: unknown,
    { headers = {} }: LocalRequest,
  ): Promise<ApiAnswer> {
    const { pathname, search } = new URL(target, 'http://service.invalid');
    const route = this.routes.find((each) => each.method === method && each.pattern.test(pathname));
    if (!route) throw new Error(`No controller of this feature takes ${method} ${pathname}`);
    const values = route.pattern.exec(pathname)!.slice(1).map(decodeURIComponent);
    const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const request = {
      method,
      originalUrl: target,
      path: pathname,
      url: target,
      ip: '127.0.0.1',
      headers: Object.fromEntries(fields),
      headersDistinct: Object.fromEntries(fields.map(([name, value]) => [name, [value]])),
      get: (name: string) => request.headers[name.toLowerCase()],
      params: Object.fromEntries(route.parameters.map((name, at) => [name, values[at]])),
      query: { ...parse(search.slice(1)) },
      body: body === undefined ? {} : (JSON.parse(JSON.stringify(body)) as unknown),
      user,
    } as unknown as Request;
    const response = new LocalResponse();
    const { status, body: answered } = await withContext(
      { request: { requestId: randomUUID(), request } },
      () => this.answer(route, request, response),
    );
    const text = answered === undefined ? undefined : JSON.stringify(answered);
    const answer = text === undefined ? undefined : (JSON.parse(text) as unknown);
    if (text !== undefined)
      response.setHeader('content-type', `application/${status < 400 ? 'json' : 'problem+json'}`);
    const { headers: sent } = response;
    checkDocumented(method, target, {
      status,
      body: answer,
      contentType: sent.get('content-type') ?? undefined,
    });
    return {
      status,
      headers: sent,
      body: answer,
      bytes: text === undefined ? response.bytes : Buffer.from(text),
    };
  }

  private async answer(
    route: Route,
    request: Request,
    response: LocalResponse,
  ): Promise<{ status: number; body: unknown }> {
    try {
      const result = await route.handle(request, response, () => undefined);
      return { status: route.status, body: result };
    } catch (thrown) {
      const error = toDomainError(thrown);
      // A fault of the service or of the spec is shown as what it is.
      if (error.status === 500) throw thrown;
      return { status: error.status, body: toProblem(error, request.originalUrl) };
    } finally {
      response.emit('close');
    }
  }
}

/** Headers and bytes of an answer, in memory. */
class LocalResponse extends Writable {
  readonly headersSent = false;
  readonly headers = new Headers();
  private readonly chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  setHeader(name: string, value: string | number): void {
    this.headers.set(name, String(value));
  }

  /** Reading it never takes this long. */
  setTimeout(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.chunks.push(chunk);
    written();
  }
}

/** A user's calls of a feature. */
export class LocalApi implements UserApi {
  constructor(
    private readonly routes: LocalRoutes,
    private readonly user: SessionUser,
  ) {}

  get<T = any>(path: string, request: LocalRequest = {}): Promise<ApiAnswer<T>> {
    return this.routes.send(this.user, 'GET', path, undefined, request);
  }

  post<T = any>(path: string, body?: unknown, request: LocalRequest = {}): Promise<ApiAnswer<T>> {
    return this.routes.send(this.user, 'POST', path, body, request);
  }

  put<T = any>(path: string, body?: unknown, request: LocalRequest = {}): Promise<ApiAnswer<T>> {
    return this.routes.send(this.user, 'PUT', path, body, request);
  }

  patch<T = any>(path: string, body?: unknown, request: LocalRequest = {}): Promise<ApiAnswer<T>> {
    return this.routes.send(this.user, 'PATCH', path, body, request);
  }

  delete<T = any>(path: string, request: LocalRequest = {}): Promise<ApiAnswer<T>> {
    return this.routes.send(this.user, 'DELETE', path, undefined, request);
  }
}

const FACTORY = new RouteParamsFactory();
/** Parameters of a handler, as the router takes them from a request. */
const PARAMETERS = {
  exchangeKeyForValue(
    type: number,
    data: ParamData,
    [req, res, next]: [Request, object, () => void],
  ): unknown {
    return FACTORY.exchangeKeyForValue(type, data as string, { req, res, next });
  },
};

function routesOf(controller: object, creator: ExternalContextCreator): Route[] {
  const prototype = Object.getPrototypeOf(controller) as Record<string, (...args: unknown[]) => unknown>;
  const base = [Reflect.getMetadata(PATH_METADATA, controller.constructor) as string | string[]].flat();
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const callback = prototype[name]!;
    if (name === 'constructor' || typeof callback !== 'function') return [];
    const paths = Reflect.getMetadata(PATH_METADATA, callback) as string | string[] | undefined;
    if (paths === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, callback) as RequestMethod];
    const stated = Reflect.getMetadata(HTTP_CODE_METADATA, callback) as number | undefined;
    const handle = creator.create(
      controller,
      callback,
      name,
      ROUTE_ARGS_METADATA,
      PARAMETERS,
      undefined,
      undefined,
      { guards: false, interceptors: false, filters: false },
    ) as Handler;
    return base.flatMap((prefix) =>
      [paths].flat().map((path) => {
        const whole = `${PREFIX}/${prefix}/${path}`.replace(/\/+/g, '/').replace(/\/$/, '');
        return {
          method,
          ...patternOf(whole),
          status: stated ?? (method === 'POST' ? 201 : 200),
          handle,
        };
      }),
    );
  });
}

function patternOf(path: string): Pick<Route, 'pattern' | 'parameters'> {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return { pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`), parameters };
}
