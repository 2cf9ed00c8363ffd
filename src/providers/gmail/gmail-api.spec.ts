import { requireAnswer, requireEmptyAnswer } from './gmail-api';

interface Page {
  readonly messages?: unknown[];
  readonly resultSizeEstimate?: number;
}

describe('requireAnswer', () => {
  it.each([{ messages: [] }, { resultSizeEstimate: 0 }])('should take %j', (data) => {
    expect(requireAnswer<Page>(data, ['messages', 'resultSizeEstimate'])).toBe(data);
  });

  it.each(['<!DOCTYPE html>', '', '{"messages":', null, undefined, [], {}, { status: 'ok' }, 7])(
    'should not take %j',
    (data) => {
      expect(() => requireAnswer<Page>(data, ['messages', 'resultSizeEstimate'])).toThrow(SyntaxError);
    },
  );
});

describe('requireEmptyAnswer', () => {
  it.each(['', '\n', undefined, {}])('should take %j', (data) => {
    expect(() => requireEmptyAnswer(data)).not.toThrow();
  });

  it.each(['<html></html>', null, { status: 'ok' }])('should not take %j', (data) => {
    expect(() => requireEmptyAnswer(data)).toThrow(SyntaxError);
  });
});
