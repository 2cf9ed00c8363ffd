import { arrivalOfFromLine, chooseDates } from './archive-dates';

const at = (text: string): Date => new Date(text);

describe('chooseDates', () => {
  const now = at('2026-11-29T17:00:00.000Z');
  const arrived = at('2026-11-20T00:00:00.000Z');

  it('should take the Date header of mail of a migrated mailbox', () => {
    const header = at('2009-03-03T10:00:00.000Z');
    expect(chooseDates(header, [arrived], now)).toEqual({
      date: header,
      receivedAt: arrived,
      dateSource: 'header',
    });
  });

  it.each([
    ['missing or unreadable', null],
    ['of a clock that was never set', at('1970-01-01T00:00:00.000Z')],
    ['just before 1970-01-02', at('1970-01-01T23:59:59.999Z')],
    ['before 1970', at('1904-01-01T00:00:00.000Z')],
    ['more than a day after the arrival', at('2026-11-21T00:00:00.001Z')],
    ['far in the future', at('2089-01-01T00:00:00.000Z')],
  ])('should take the arrival when the Date header is %s', (_name, header) => {
    expect(chooseDates(header, [arrived], now)).toEqual({
      date: arrived,
      receivedAt: arrived,
      dateSource: 'arrival',
    });
  });

  it.each([
    ['1970-01-02', at('1970-01-02T00:00:00.000Z')],
    ['a day after the arrival', at('2026-11-21T00:00:00.000Z')],
  ])('should take a Date header of %s', (_name, header) => {
    expect(chooseDates(header, [arrived], now)).toMatchObject({ date: header, dateSource: 'header' });
  });

  it('should take the first arrival that is known', () => {
    const received = at('2010-07-05T08:00:00.000Z');
    expect(chooseDates(null, [null, received, arrived], now).receivedAt).toEqual(received);
  });

  it.each([
    ['of a clock that was never set', at('1970-01-01T00:00:00.000Z')],
    ['in the future', at('2089-01-01T00:00:00.000Z')],
    ['no date', new Date(NaN)],
  ])('should pass over an arrival that is %s', (_name, arrival) => {
    expect(chooseDates(null, [arrival, arrived], now).date).toEqual(arrived);
  });

  it('should take the day of the import when no arrival is known', () => {
    const midnight = at('2026-11-29T00:00:00.000Z');
    const found = { date: midnight, receivedAt: midnight, dateSource: 'import' };
    expect(chooseDates(null, [null], now)).toEqual(found);
    expect(chooseDates(at('2089-01-01T00:00:00.000Z'), [], now)).toEqual(found);
  });

  it('should take the Date header of mail whose arrival is not known', () => {
    const header = at('2026-11-30T12:00:00.000Z');
    expect(chooseDates(header, [], now)).toEqual({
      date: header,
      receivedAt: at('2026-11-29T00:00:00.000Z'),
      dateSource: 'header',
    });
  });

  it('should not take a Date header that is no date', () => {
    expect(chooseDates(new Date(NaN), [arrived], now).dateSource).toBe('arrival');
  });
});

describe('arrivalOfFromLine', () => {
  const now = at('2026-11-29T17:00:00.000Z');
  const header = at('2019-03-19T09:13:51.000Z');

  it.each([
    ['of the delivery', at('2019-03-19T09:14:02.000Z'), header],
    ['of a later move', at('2026-01-01T00:00:00.000Z'), header],
    ['of a message without a Date header', at('2001-09-17T00:00:00.000Z'), null],
    ['of a message of the future', at('2020-03-03T10:00:00.000Z'), at('2089-01-01T00:00:00.000Z')],
  ])('should be the From_ line %s', (_name, fromLine, date) => {
    expect(arrivalOfFromLine(fromLine, date, now)).toEqual(fromLine);
  });

  it('should not be the constant that git writes', () => {
    expect(arrivalOfFromLine(at('2001-09-17T00:00:00.000Z'), header, now)).toBeNull();
  });

  it('should not be known without a From_ line', () => {
    expect(arrivalOfFromLine(null, header, now)).toBeNull();
  });
});
