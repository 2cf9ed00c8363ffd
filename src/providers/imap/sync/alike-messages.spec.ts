import { AlikeMessages, type AlikeMessage } from './alike-messages';

const day = (number: number): Date => new Date(Date.UTC(2024, 0, number));
const known = (...messages: readonly (readonly [string, number])[]): AlikeMessage[] =>
  messages.map(([messageId, number]) => ({ messageId, internalDate: day(number) }));

/** Ids of messages with the key `k` that come on these days. */
const named = (
  messages: readonly AlikeMessage[],
  taken: readonly string[],
  days: readonly number[],
): string[] => {
  const alike = new AlikeMessages(
    messages,
    taken,
    days.map(() => 'k'),
  );
  return days.map((number) => alike.idFor('k', day(number)));
};

describe('AlikeMessages', () => {
  it('should give the key to the first message, and to a copy of it in another folder', () => {
    expect(named([], [], [1])).toEqual(['k']);
    expect(named(known(['k', 1]), [], [1])).toEqual(['k']);
    expect(named(known(['k', 1]), [], [2])).toEqual(['k']);
  });

  it('should distinguish two messages of one folder', () => {
    expect(named([], [], [1, 1])).toEqual(['k', 'k~2']);
    expect(named(known(['k', 1]), ['k'], [1])).toEqual(['k~2']);
  });

  it('should recognise by its date which of several was moved', () => {
    expect(named(known(['k', 1], ['k~2', 2]), [], [2])).toEqual(['k~2']);
    expect(named(known(['k', 1], ['k~2', 2]), [], [1])).toEqual(['k']);
    expect(named(known(['k~2', 2]), [], [2])).toEqual(['k~2']);
    expect(named(known(['k', 1]), [], [2, 1])).toEqual(['k~2', 'k']);
  });

  it('should never mistake a message for one of several with the same date', () => {
    expect(named(known(['k', 1], ['k~2', 1]), [], [1])).toEqual(['k~3']);
    expect(named(known(['k', 1], ['k~4', 2]), [], [3])).toEqual(['k~5']);
    expect(named(known(['k', 1], ['k~2', 2]), ['k~2'], [2])).toEqual(['k~3']);
    expect(named(known(['k~2', 2]), [], [1])).toEqual(['k~3']);
  });

  it('should give several messages their ids again when they are all read again', () => {
    expect(named(known(['k', 1], ['k~2', 2]), [], [1, 2])).toEqual(['k', 'k~2']);
    expect(named(known(['k', 1], ['k~2', 2]), [], [2, 1])).toEqual(['k~2', 'k']);
  });
});
