import { genuine, genuinelyNothing } from './genuine-answer';

interface Page {
  readonly messages?: unknown[];
  readonly resultSizeEstimate?: number;
}

describe('genuine', () => {
  it.each([{ messages: [] }, { resultSizeEstimate: 0 }])('should take %j', (data) => {
    expect(genuine<Page>(data, ['messages', 'resultSizeEstimate'])).toBe(data);
  });

  it.each(['<!DOCTYPE html>', '', '{"messages":', null, undefined, [], {}, { status: 'ok' }, 7])(
    'should not take %j',
    (data) => {
      expect(() => genuine<Page>(data, ['messages', 'resultSizeEstimate'])).toThrow(SyntaxError);
    },
  );
});

describe('genuinelyNothing', () => {
  it.each(['', '\n', undefined, null, {}])('should take %j', (data) => {
    expect(() => genuinelyNothing(data)).not.toThrow();
  });

  it('should not take a page', () => {
    expect(() => genuinelyNothing('<html></html>')).toThrow(SyntaxError);
  });
});
