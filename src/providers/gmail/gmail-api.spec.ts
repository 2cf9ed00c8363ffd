import { requireAnswer, requireEmptyAnswer } from './gmail-api';

interface Page {
  readonly messages?: unknown[];
  readonly resultSizeEstimate?: number;
}

describe('requireAnswer', () => {
  it.each([{ messages: [] }, { resultSizeEstimate: 0 }])('should accept %j', (data) => {
    expect(requireAnswer<Page>(data, ['messages', 'resultSizeEstimate'])).toBe(data);
  });

  it.each(['<!DOCTYPE html>', '', '{"messages":', null, undefined, [], {}, { status: 'ok' }, 7])(
    'should reject %j',
    (data) => {
      expect(() => requireAnswer<Page>(data, ['messages', 'resultSizeEstimate'])).toThrow(SyntaxError);
    },
  );
});

describe('requireEmptyAnswer', () => {
  it.each(['', '\n', undefined, {}])('should accept %j', (data) => {
    expect(() => requireEmptyAnswer(data)).not.toThrow();
  });

  it.each(['<html></html>', null, { status: 'ok' }])('should reject %j', (data) => {
    expect(() => requireEmptyAnswer(data)).toThrow(SyntaxError);
  });
});
