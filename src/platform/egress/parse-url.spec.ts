import { parseUrl } from './parse-url';

/** Enough for V8 to optimize the caller. */
const MANY = 20_000;

describe('parseUrl', () => {
  it('should read addresses, relative ones against a base', () => {
    expect(parseUrl('https://example.org/a?b#c')?.href).toBe('https://example.org/a?b#c');
    expect(parseUrl('/a', 'https://example.org')?.href).toBe('https://example.org/a');
  });

  it.each(['', 'nothing', '/a', 'http://', 'https://[::1'])('should give null for %j', (text) => {
    expect(parseUrl(text)).toBeNull();
  });

  it('should read letters beyond ASCII, however often it is called', () => {
    const hosts = new Set(
      Array.from({ length: MANY }, () => parseUrl('https://münchen.example/straße')?.hostname),
    );
    expect([...hosts]).toEqual(['xn--mnchen-3ya.example']);
  });
});
