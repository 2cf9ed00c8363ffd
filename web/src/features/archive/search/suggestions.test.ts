import { describe, expect, it } from 'vitest';
import { suggestionsFor, typedValue } from './suggestions';

const NOTHING = { recent: [], saved: [], people: [], labels: [] };
const KEPT = {
  ...NOTHING,
  recent: ['copper pipe', 'from:ada', 'roof'],
  saved: [{ name: 'Invoices of the plumber', query: 'from:plumber invoice' }],
};

const queriesFor = (typed: string, kept = NOTHING as Parameters<typeof suggestionsFor>[1]): string[] =>
  suggestionsFor(typed, kept).map(({ q }) => q);

describe('suggestions for a search', () => {
  it.each([
    ['fr', ['from:']],
    ['invoice fr', ['invoice from:']],
    ['-fr', ['-from:']],
    ['(fr', ['(from:']],
    ['FR', ['from:']],
    ['un', ['is:unread ']],
    ['is:', ['is:unread ', 'is:starred ', 'is:important ']],
    ['newer', ['newer_than:']],
  ])('should complete the term of %s', (typed, wanted) => {
    expect(queriesFor(typed)).toEqual(wanted);
  });

  it.each(['', 'invoice ', 'from:', 'from:a', '"words fr', 'zzz'])(
    'should offer no term for "%s"',
    (typed) => {
      expect(queriesFor(typed)).toEqual([]);
    },
  );

  const KNOWN = {
    ...NOTHING,
    people: [
      { email: 'ada@plumber.example', sender: '"Ada Plumber" <ada@plumber.example>' },
      { email: "o'ada@firm.example", sender: "O'Ada <o'ada@firm.example>" },
    ],
    labels: ['Travel', 'My "best" trips'],
  };

  it.each([
    ['from:ad', ['from:ada@plumber.example ', `from:"o'ada@firm.example" `]],
    ['invoice -to:ad', ['invoice -to:ada@plumber.example ', `invoice -to:"o'ada@firm.example" `]],
    ['pipe ad', ['pipe from:ada@plumber.example ', `pipe from:"o'ada@firm.example" `]],
    ['label:tr', ['label:Travel ', 'label:"My -best- trips" ']],
    ['in:tr', ['label:Travel ', 'label:"My -best- trips" ']],
    ['"pipe ad', []],
    ['subject:ad', []],
    ['ad ', []],
  ])('should complete the value of %s', (typed, wanted) => {
    expect(queriesFor(typed, KNOWN)).toEqual(wanted);
  });

  it('should show people by name and address', () => {
    expect(suggestionsFor('from:ad', KNOWN)[0]!.text).toBe('Ada Plumber <ada@plumber.example>');
  });

  it.each([
    ['from:ad', { field: 'from', text: 'ad', before: '' }],
    ['x (CC:a', { field: 'cc', text: 'a', before: 'x (' }],
    ['x -ad', { field: null, text: 'ad', before: 'x -' }],
    ['a', null],
    ['from:', null],
    ['from:"ad', null],
    ['hash:ad', null],
    ['!!', null],
  ])('should ask the service for the value of %j: %j', (typed, wanted) => {
    expect(typedValue(typed)).toEqual(wanted);
  });

  it('should be the searches of before while nothing is typed', () => {
    expect(queriesFor('', KEPT)).toEqual(['copper pipe', 'from:ada', 'roof', 'from:plumber invoice']);
  });

  it('should be those searches of before that have what is typed', () => {
    expect(queriesFor('PIPE', KEPT)).toEqual(['copper pipe']);
    expect(queriesFor('plumb', KEPT)).toEqual(['from:plumber invoice']);
    expect(queriesFor('roof', KEPT)).toEqual([]);
  });
});
