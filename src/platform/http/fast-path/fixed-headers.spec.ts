import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { fixedHeaders } from './fixed-headers';

function answered(handler: ReturnType<typeof fixedHeaders>): Map<string, unknown> {
  const headers = new Map<string, unknown>();
  const response = {
    setHeader: (name: string, value: unknown) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const next = jest.fn();
  void handler({} as Request, response as unknown as Response, next);
  expect(next).toHaveBeenCalledWith();
  return headers;
}

describe('fixedHeaders', () => {
  it('should set the headers that the middlewares would have set', () => {
    const middleware = helmet({ hsts: true });
    const headers = answered(fixedHeaders(middleware));
    expect(headers.size).toBeGreaterThan(8);
    expect(headers).toEqual(answered(middleware));
  });

  it('should run each middleware once, for any number of requests', () => {
    const middleware = jest.fn<void, Parameters<RequestHandler>>((_request, response, next) => {
      response.setHeader('X-One', '1');
      next();
    });
    const handler = fixedHeaders(middleware);
    answered(handler);
    expect(answered(handler)).toEqual(new Map([['X-One', '1']]));
    expect(middleware).toHaveBeenCalledTimes(1);
  });

  it('should refuse an asynchronous middleware', () => {
    expect(() => fixedHeaders((_request, _response, next) => void setImmediate(next))).toThrow(
      'did not call next',
    );
  });

  it('should pass on the error of a middleware', () => {
    expect(() => fixedHeaders((_request, _response, next) => next(new Error('broken')))).toThrow('broken');
  });
});
