import type { Request } from 'express';
import { withRequestContext } from '../http/request-context';
import { canonicalJson, hasIdempotencyKey, idempotencyOfRequest, onceKey, requestText } from './idempotency';

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

const fingerprint = (text: string): string => `fingerprint of ${text.length}`;
const ofRequest = (): ReturnType<typeof idempotencyOfRequest> => idempotencyOfRequest(fingerprint);

describe('requestText', () => {
  const base = { method: 'POST', originalUrl: '/api/x?y=1', body: { ids: ['1', '2'] } };

  it('should not depend on the order of fields', () => {
    expect(requestText({ ...base, body: { a: 1, b: 2 } })).toBe(
      requestText({ ...base, body: { b: 2, a: 1 } }),
    );
  });

  it.each([{ method: 'PUT' }, { originalUrl: '/api/x' }, { body: { ids: ['2', '1'] } }, { body: undefined }])(
    'should depend on %j',
    (change) => {
      expect(requestText({ ...base, ...change })).not.toBe(requestText(base));
    },
  );
});

describe('idempotencyOfRequest', () => {
  it('should be null outside a request, and without the header', () => {
    expect(ofRequest()).toBeNull();
    expect(within(request(undefined, {}), ofRequest)).toBeNull();
    expect(within(request('  ', {}), ofRequest)).toBeNull();
  });

  it('should give the n-th start of a repeated request the key of the first one', () => {
    const keys = (current: Request): (string | undefined)[] =>
      within(current, () => [ofRequest()?.key, ofRequest()?.key]);
    const [first, second] = keys(request('k', { a: 1 }));
    expect(first).not.toBe(second);
    expect(keys(request('k', { a: 1 }))).toEqual([first, second]);
  });

  it('should never collide with the keys of schedules', () => {
    expect(within(request('k', {}), ofRequest)!.key).not.toBe(onceKey('k').key);
  });

  it('should hash the request only with the given key', () => {
    const text = 'POST\n/api/x\n{"pass":"secret"}';
    expect(within(request('k', { pass: 'secret' }), ofRequest)!.requestHash).toBe(fingerprint(text));
  });

  it('should check whether there is a key without counting a start', () => {
    const current = request('k', {});
    expect(within(current, hasIdempotencyKey)).toBe(true);
    expect(within(current, ofRequest)).toEqual(within(request('k', {}), ofRequest));
    expect([hasIdempotencyKey(), within(request(' ', {}), hasIdempotencyKey)]).toEqual([false, false]);
  });

  it('should refuse a key that is too long', () => {
    expect(() => within(request('k'.repeat(256), {}), ofRequest)).toThrow('at most 255');
  });
});
