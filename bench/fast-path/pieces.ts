import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import type { RequestHandler } from 'express';
import { JwtStrategy } from '../../src/identity/sessions/jwt.strategy';
import { DatabaseAccountOwnership } from '../../src/mailbox/accounts/database-account-ownership';
import { GLOBAL_GUARDS } from '../../src/platform/access/guards/global-guards';
import * as cookies from '../../src/platform/http/fast-path/cookies';
import * as fixedHeaders from '../../src/platform/http/fast-path/fixed-headers';
import { JsonAnswersAdapter } from '../../src/platform/http/fast-path/json-answers.adapter';
import { LeasedLimiter } from '../../src/platform/rate-limit/leased-limiter';

/** A piece of the service that exists only because it makes requests cheaper. */
export interface FastPathPiece {
  readonly name: string;
  /** Puts the usual way of Nest, Express or the library in its place; before the application is built. */
  readonly replace: () => void;
}

/** Replaces a function of a module that others have not called yet. */
function replaceExport<T extends object, K extends keyof T>(module: T, name: K, value: T[K]): void {
  Object.defineProperty(module, name, { value });
}

const inTurn =
  (...middlewares: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    const run = (index: number): void => {
      const middleware = middlewares[index];
      if (middleware) void middleware(request, response, () => run(index + 1));
      else next();
    };
    run(0);
  };

function makeGuardsAsync(): void {
  for (const { prototype } of GLOBAL_GUARDS) {
    const guard = prototype as CanActivate;
    const answer = guard.canActivate;
    guard.canActivate = async function canActivate(this: CanActivate, context: ExecutionContext) {
      return (await answer.call(this, context)) as boolean;
    };
  }
}

export const FAST_PATH_PIECES: Readonly<Record<string, FastPathPiece>> = {
  'fixed-headers': {
    name: 'fixed headers in one middleware',
    replace: () => replaceExport(fixedHeaders, 'fixedHeaders', inTurn),
  },
  'json-answers': {
    name: 'JSON answers without response.json',
    replace: () => {
      JsonAnswersAdapter.prototype.reply = ExpressAdapter.prototype.reply;
    },
  },
  cookies: {
    name: 'cookie parser only for requests with cookies',
    replace: () => replaceExport(cookies, 'cookies', () => cookieParser()),
  },
  guards: { name: 'guards that answer without a promise', replace: makeGuardsAsync },
  'known-callers': {
    name: 'known callers, without Passport',
    replace: () => {
      JwtStrategy.prototype.find = () => undefined;
    },
  },
  'known-owners': {
    name: 'known owners of accounts',
    replace: () => {
      DatabaseAccountOwnership.prototype.isKnown = () => false;
    },
  },
  'leased-points': {
    name: 'rate limit: points leased from Redis',
    replace: () => {
      LeasedLimiter.prototype.consume = function consume(key, points = 1) {
        return this['limiter'].consume(key, points);
      };
    },
  },
};
