import { describe, expect, it } from 'vitest';
import { HUES, hueOf, initialsOf } from './initials';

describe('initialsOf', () => {
  it.each([
    ['"Ada Lovelace" <ada@example.org>', 'AL'],
    ['Ada Augusta King <ada@example.org>', 'AK'],
    ['Éric <eric@example.org>', 'É'],
    ['jean.dupont@example.org', 'JD'],
    ['noreply@example.org', 'N'],
    ['王小明 <wang@example.org>', '王'],
    ['"(***)" <x@example.org>', '?'],
    ['', '?'],
  ])('should be of %j: %s', (from, expected) => {
    expect(initialsOf(from)).toBe(expected);
  });
});

describe('hueOf', () => {
  it('should be the same for an address under any name, and one of the hues of the theme', () => {
    const hues = Array.from({ length: 500 }, (_, n) => hueOf(`Name ${n} <person${n}@example.org>`));
    expect(new Set(hues)).toEqual(new Set(Array.from({ length: HUES }, (_, n) => n)));
    expect(hueOf('Ada <ADA@example.org>')).toBe(hueOf('ada@example.org'));
  });
});
