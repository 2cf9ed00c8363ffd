import { storableJson } from './column-values';

describe('storableJson', () => {
  it('should replace only NUL and lone surrogates, wherever they occur', () => {
    const value = {
      subject: 'a\0b \ud83d',
      parts: [{ filename: '\udc00x 😀 \\u0000' }],
      size: 3,
      none: null,
    };
    expect(JSON.parse(storableJson(value))).toEqual({
      subject: 'a\uFFFDb \uFFFD',
      parts: [{ filename: '\uFFFDx 😀 \\u0000' }],
      size: 3,
      none: null,
    });
  });

  it('should keep dates as ISO 8601', () => {
    expect(storableJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });
});
