import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../../test/support/properties';
import { passesLuhn } from './card-number';
import { findPii, summarisePii } from './find-pii';
import { maskPii, PII_TYPES, type PiiType } from './pii-match';

allowForExamples();

const VISIBLE: Readonly<Record<PiiType, number>> = {
  credit_card: 4,
  iban: 4,
  french_ssn: 0,
  phone_fr: 0,
  password_plain: 0,
};
const secretsOf = (text: string): string => (text.match(/[\p{L}\p{N}]/gu) ?? []).join('');

const digits = (count: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((all) => all.join(''));
/** A number with the check digit it needs, grouped as people do. */
const card = fc
  .tuple(
    fc.constantFrom('4', '51', '2221'),
    digits(15),
    fc.constantFrom(' ', '-', '', '\u00a0', '\n', '\n> '),
  )
  .map(([issuer, rest, gap]) => {
    const body = (issuer + rest).slice(0, 15);
    const check = [...'0123456789'].find((digit) => passesLuhn(body + digit)) as string;
    return (body + check).match(/.{4}/g)!.join(gap);
  });
const iban = digits(10).chain((account) =>
  fc.constantFrom(' ', '', '\u2009').map((gap) => {
    const bban = `37040044${account}`;
    const rest = BigInt(`${bban}131400`) % 97n;
    return `DE${String(98n - rest).padStart(2, '0')}${bban}`.match(/.{1,4}/g)!.join(gap);
  }),
);
const phone = fc
  .tuple(digits(8), fc.constantFrom(' ', '.', '', '-'))
  .map(([rest, gap]) => ['06', ...rest.match(/../g)!].join(gap));
const password = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019!#é'), minLength: 6, maxLength: 20 })
  .map((value) => `password: ${value}`);

const sensitive = fc.oneof(card, iban, phone, password);
const surroundings = mixtureOf(
  [' ', '\n', 'Card: ', 'IBAN ', 'call ', 'text ', '1', '12', ', ', '. ', '\t', '> ', '٣', '４', '😀'],
  6,
);

describe('a mask', () => {
  it('should show only as much of a value as its type allows', () => {
    holds(
      500,
      fc.property(fc.constantFrom(...PII_TYPES), fc.oneof(anyUtf16(), sensitive), (type, value) => {
        const masked = maskPii(type, value);
        const shown = secretsOf(masked);
        expect([...shown].length).toBeLessThanOrEqual(VISIBLE[type]);
        const secrets = secretsOf(value);
        const allowed = type === 'credit_card' ? secrets.endsWith(shown) : secrets.startsWith(shown);
        expect(type === 'password_plain' || allowed).toBe(true);
      }),
    );
  });

  it('should keep the length of every value except a password’s, and not change when masked again', () => {
    holds(
      500,
      fc.property(fc.constantFrom(...PII_TYPES), fc.oneof(anyUtf16(), sensitive), (type, value) => {
        const masked = maskPii(type, value);
        expect(maskPii(type, masked)).toBe(masked);
        if (type === 'password_plain') expect(masked).toBe('********');
        else expect([...masked]).toHaveLength([...value.replace(/[\s>]+/g, ' ')].length);
      }),
    );
  });
});

describe('findings of a text', () => {
  it('should never reveal more of a found value than its mask', () => {
    holds(
      300,
      fc.property(fc.array(fc.tuple(surroundings, sensitive, surroundings), { maxLength: 4 }), (parts) => {
        const text = parts.map((part) => part.join(' ')).join('\n');
        let end = 0;
        for (const match of findPii(text)) {
          expect(match.value).toBe(text.slice(match.start, match.end));
          expect(match.start).toBeGreaterThanOrEqual(end);
          end = match.end;
          expect([...secretsOf(match.masked)].length).toBeLessThanOrEqual(VISIBLE[match.type]);
        }
        for (const { type, snippet } of summarisePii(text)) {
          expect([...secretsOf(snippet)].length).toBeLessThanOrEqual(VISIBLE[type]);
        }
      }),
    );
  });

  it('should exist for each kind of value', () => {
    const found = new Set<string>();
    holds(
      200,
      fc.property(sensitive, (value) => {
        for (const { type } of findPii(`Card, IBAN or call:\n${value}\n`)) found.add(type);
      }),
    );
    expect([...found].sort()).toEqual(
      expect.arrayContaining(['credit_card', 'iban', 'password_plain', 'phone_fr']),
    );
  });
});
