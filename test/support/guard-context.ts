import type { ExecutionContext, Type } from '@nestjs/common';
import type { Request, Response } from 'express';

/** The context in which a guard decides on a request to `controller.handler`. */
export function guardContext<C>(
  controller: Type<C>,
  handler: keyof C & string,
  request: object = {},
): ExecutionContext {
  const prototype = controller.prototype as Record<string, () => unknown>;
  const complete = { params: {}, method: 'GET', ...request } as Request;
  const context: Partial<ExecutionContext> = {
    getHandler: () => prototype[handler]!,
    getClass: <T>() => controller as unknown as Type<T>,
    switchToHttp: () => ({
      getRequest: <T>() => complete as T,
      getResponse: <T>() => ({}) as Response as T,
      getNext: <T>() => (() => undefined) as T,
    }),
  };
  return context as ExecutionContext;
}
