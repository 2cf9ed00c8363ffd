import { AppConfig } from '../config/app-config';
import { SecretBox, SecretUnreadable } from './secret-box';

const box = (key: number): SecretBox =>
  new SecretBox({ secrets: { encryptionKey: Buffer.alloc(32, key) } } as unknown as AppConfig);

describe('SecretBox', () => {
  const sut = box(1);

  it('should open what it sealed, and never seal it the same way twice', () => {
    const value = { refreshToken: 'r-1', note: 'é' };
    const sealed = sut.seal(value, 'row-1');
    expect(sut.open(sealed, 'row-1')).toEqual(value);
    expect(sut.seal(value, 'row-1')).not.toBe(sealed);
    expect(sealed).not.toContain('r-1');
  });

  it.each([
    ['another row', () => sut.open(sut.seal({ a: 1 }, 'row-1'), 'row-2')],
    ['another key', () => box(2).open(sut.seal({ a: 1 }, 'row-1'), 'row-1')],
    ['an altered value', () => sut.open(`${sut.seal({ a: 1 }, 'row-1').slice(0, -2)}AA`, 'row-1')],
    ['another version', () => sut.open('v0.abc', 'row-1')],
  ])('should refuse %s', (_name, open) => {
    expect(open).toThrow(SecretUnreadable);
  });

  it('should give the same fingerprint only to equal texts of one purpose and key', () => {
    const fingerprint = sut.fingerprint('pass', 'a');
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(box(1).fingerprint('pass', 'a')).toBe(fingerprint);
    const others = [
      sut.fingerprint('pass', 'b'),
      sut.fingerprint('pasS', 'a'),
      box(2).fingerprint('pass', 'a'),
    ];
    expect(new Set([fingerprint, ...others]).size).toBe(4);
  });
});
