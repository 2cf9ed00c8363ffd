import { describe, expect, it } from 'vitest';
import { addTerm, hasTerm, removeTerm } from './query-terms';

describe('hasTerm', () => {
  it.each([
    ['is:unread', true],
    ['from:ada IS:UNREAD', true],
    ['', false],
    ['-is:unread', false],
    ['"is:unread" a', false],
    ['subject:"my is:unread mail"', false],
    ['(is:unread OR b)', false],
    ['a OR is:unread', false],
  ])('should say for %j: %s', (query, expected) => {
    expect(hasTerm(query, 'is:unread')).toBe(expected);
  });
});

describe('addTerm', () => {
  it.each([
    ['', 'larger:5M'],
    ['from:"Ada L"  x', 'from:"Ada L" x larger:5M'],
    ['a OR b', '(a OR b) larger:5M'],
    ['(a OR b) c', '(a OR b) c larger:5M'],
    ['"a OR b"', '"a OR b" larger:5M'],
  ])('should narrow %j to %j', (query, expected) => {
    expect(addTerm(query, 'larger:5M')).toBe(expected);
    expect(hasTerm(addTerm(query, 'larger:5M'), 'larger:5M')).toBe(true);
  });
});

describe('removeTerm', () => {
  it.each([
    ['larger:5M', ''],
    ['a larger:5m "b  c"', 'a "b  c"'],
    ['{larger:5M b}', '{larger:5M b}'],
  ])('should leave of %j: %j', (query, expected) => {
    expect(removeTerm(query, 'larger:5M')).toBe(expected);
  });
});
