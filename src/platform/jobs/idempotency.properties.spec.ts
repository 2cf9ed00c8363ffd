import { isDeepStrictEqual } from 'node:util';
import { allowForExamples, anyUtf16, fc, holds } from '../../../test/support/properties';
import type { AppConfig } from '../config/app-config';
import { SecretBox, SecretUnreadable } from '../crypto/secret-box';
import { canonicalJson } from './idempotency';

allowForExamples();

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The same value with the fields of its objects in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reordered(part)]),
  );
}

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe('repeated and different requests', () => {
  it('should be the same for the same body, whatever the order of its fields', () => {
    holds(
      300,
      fc.property(json, (body) => {
        expect(canonicalJson(reordered(body))).toBe(canonicalJson(body));
        expect(JSON.parse(canonicalJson(body))).toEqual(body);
      }),
    );
  });

  it('should be different for different bodies', () => {
    holds(
      300,
      fc.property(json, json, (one, other) => {
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isDeepStrictEqual(one, other));
      }),
    );
  });
});

describe('a sealed secret', () => {
  const box = new SecretBox({ secrets: { encryptionKey: Buffer.alloc(32, 7) } } as AppConfig);

  it('should be readable for its own row, and for no other', () => {
    holds(
      200,
      fc.property(
        fc.dictionary(fc.string(), anyUtf16()),
        anyUtf16(),
        anyUtf16(),
        (secret, context, other) => {
          const sealed = box.seal(secret, context);
          expect(JSON.stringify(box.open(sealed, context))).toBe(JSON.stringify(secret));
          if (Buffer.from(other).equals(Buffer.from(context))) return;
          expect(() => box.open(sealed, other)).toThrow(SecretUnreadable);
        },
      ),
    );
  });

  it('should not open once it has been altered or cut', () => {
    holds(
      300,
      fc.property(anyUtf16(30), fc.nat(), fc.nat(63), (secret, where, digit) => {
        const sealed = box.seal({ secret }, 'row');
        const at = 3 + (where % (sealed.length - 3));
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const altered = sealed.slice(0, at) + alphabet[digit] + sealed.slice(at + 1);
        const bytes = (text: string): Buffer => Buffer.from(text.split('.')[1] as string, 'base64url');
        // The last character may have bits that stand for nothing.
        if (!bytes(altered).equals(bytes(sealed)))
          expect(() => box.open(altered, 'row')).toThrow(SecretUnreadable);
        if (!bytes(sealed.slice(0, at)).equals(bytes(sealed))) {
          expect(() => box.open(sealed.slice(0, at), 'row')).toThrow(SecretUnreadable);
        }
        expect(() => box.open(secret, 'row')).toThrow(SecretUnreadable);
      }),
    );
  });
});
