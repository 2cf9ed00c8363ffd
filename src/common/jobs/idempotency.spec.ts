import type { Request } from 'express';
import { withRequestContext } from '../http/request-context';
import { canonicalJson, idempotencyOfRequest, onceKey, requestHash } from './idempotency';

const request = (key: string | undefined, body: unknown): Request =>
  ({ method: 'POST', originalUrl: '/api/x', body, get: () => key }) as unknown as Request;

const within = <T>(current: Request, work: () => T): T =>
  withRequestContext({ requestId: 'r', request: current }, work);

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}'],
    [[3, 1, 2], '[3,1,2]'],
    ['text', '"text"'],
    [undefined, ''],
  ])('should write %j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('requestHash', () => {
  const base = { method: 'POST', originalUrl: '/api/x?y=1', body: { ids: ['1', '2'] } };

  it('should not depend on the order of fields', () => {
    expect(requestHash({ ...base, body: { a: 1, b: 2 } })).toBe(
      requestHash({ ...base, body: { b: 2, a: 1 } }),
    );
  });

  it.each([{ method: 'PUT' }, { originalUrl: '/api/x' }, { body: { ids: ['2', '1'] } }, { body: undefined }])(
    'should depend on %j',
    (change) => {
      expect(requestHash({ ...base, ...change })).not.toBe(requestHash(base));
    },
  );
});

describe('idempotencyOfRequest', () => {
  it('should be null outside a request, and without the header', () => {
    expect(idempotencyOfRequest()).toBeNull();
    expect(within(request(undefined, {}), idempotencyOfRequest)).toBeNull();
    expect(within(request('  ', {}), idempotencyOfRequest)).toBeNull();
  });

  it('should give the n-th start of a repeated request the key of the first one', () => {
    const keys = (current: Request): (string | undefined)[] =>
      within(current, () => [idempotencyOfRequest()?.key, idempotencyOfRequest()?.key]);
    const [first, second] = keys(request('k', { a: 1 }));
    expect(first).not.toBe(second);
    expect(keys(request('k', { a: 1 }))).toEqual([first, second]);
  });

  it('should never collide with the keys of schedules', () => {
    expect(within(request('k', {}), idempotencyOfRequest)!.key).not.toBe(onceKey('k').key);
  });

  it('should refuse a key that is too long', () => {
    expect(() => within(request('k'.repeat(256), {}), idempotencyOfRequest)).toThrow('at most 255');
  });
});
