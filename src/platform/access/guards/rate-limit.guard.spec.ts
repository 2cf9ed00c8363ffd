import { Reflector } from '@nestjs/core';
import { guardContext } from '../../../../test/support/guard-context';
import { LongBody } from '../../http/json-body.guard';
import { AuthRateLimit, NoRateLimit } from '../../rate-limit/rate-limit-decorators';
import { type CountedRequest, RateLimiter, TooManyRequests } from '../../rate-limit/rate-limiter';
import type { AppConfig } from '../../config/app-config';
import type { AuditTrail } from '../audit-trail.port';
import { RateLimitGuard } from './rate-limit.guard';

class Routes {
  usual(): void {}

  @AuthRateLimit()
  signIn(): void {}

  @NoRateLimit()
  probe(): void {}

  @LongBody()
  long(): void {}
}

const withLength = (length: string): object => ({
  user: { id: 'ada' },
  headers: { 'content-length': length },
});
const CHUNKED = { user: { id: 'ada' }, headers: { 'transfer-encoding': 'chunked' } };

function setup(refusal?: Error) {
  const consume = jest.fn(async () => {
    if (refusal) throw refusal;
  });
  const recordRefusal = jest.fn(async () => undefined);
  const sut = new RateLimitGuard(
    new Reflector(),
    { consume } as unknown as RateLimiter,
    { recordRefusal } as unknown as AuditTrail,
    { http: { maxJsonBytes: 4 * 1024 * 1024 } } as AppConfig,
  );
  return { sut, consume, recordRefusal };
}

describe('RateLimitGuard', () => {
  it.each<[string, keyof Routes, object, unknown[]]>([
    ['a user', 'usual', { user: { id: 'ada' }, headers: {} }, ['ada', 'general', 1]],
    ['an address', 'usual', { user: null, headers: {} }, [null, 'general', 1]],
    ['an address on public routes', 'signIn', { headers: {} }, [null, 'auth', 1]],
    ['a long body, by its length', 'long', withLength('1000000'), ['ada', 'general', 123]],
    ['a short body where it may be long', 'long', withLength('200'), ['ada', 'general', 1]],
    ['no body where it may be long', 'long', { user: { id: 'ada' }, headers: {} }, ['ada', 'general', 1]],
    ['a body that is too long as the longest', 'long', withLength('99000000'), ['ada', 'general', 513]],
    ['a body without a length as the longest', 'long', CHUNKED, ['ada', 'general', 513]],
  ])('should count for %s', async (_whom, handler, request, counted) => {
    const { sut, consume } = setup();
    expect(await sut.canActivate(guardContext(Routes, handler, request))).toBe(true);
    const asked = consume.mock.calls as unknown as [CountedRequest][];
    expect(asked.map(([{ userId, limit, weight }]) => [userId, limit, weight])).toEqual([counted]);
  });

  it('should count nothing where there is no limit', async () => {
    const { sut, consume } = setup();
    expect(await sut.canActivate(guardContext(Routes, 'probe'))).toBe(true);
    expect(consume).not.toHaveBeenCalled();
  });

  it.each<[string, keyof Routes, Error, number]>([
    ['the first refused sign-in of a window', 'signIn', new TooManyRequests(1, undefined, true), 1],
    ['no further one', 'signIn', new TooManyRequests(1), 0],
    ['no other request', 'usual', new TooManyRequests(1, undefined, true), 0],
    ['no outage', 'signIn', new Error('away'), 0],
  ])('should record %s, and refuse', async (_what, handler, refusal, times) => {
    const { sut, recordRefusal } = setup(refusal);
    await expect(sut.canActivate(guardContext(Routes, handler))).rejects.toBe(refusal);
    expect(recordRefusal).toHaveBeenCalledTimes(times);
  });
});
