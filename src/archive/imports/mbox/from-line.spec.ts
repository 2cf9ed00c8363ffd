import { fromLineDate, isDatedFromLine, isTakeoutFromLine } from './from-line';

describe('From_ lines', () => {
  it.each([
    ['From alice@example.com Thu Nov 24 18:22:48 1986', '1986-11-24T18:22:48.000Z'],
    ['From - Fri Jul  8 12:08 2011', '2011-07-08T12:08:00.000Z'],
    ['From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019', '2019-03-19T09:13:51.000Z'],
    ['From a Tue Mar 19 09:13:51 2019 -0130', '2019-03-19T10:43:51.000Z'],
    ['From a Tue Mar 19 09:13:51 +0200 2019', '2019-03-19T07:13:51.000Z'],
    ['From a Tue Mar 19 09:13:51 CEST 2019', '2019-03-19T09:13:51.000Z'],
    ['From a Tue, 19 Mar 2019 09:13:51 +0200', '2019-03-19T07:13:51.000Z'],
  ])('should find the date of %s', (line, expected) => {
    expect(fromLineDate(line)?.toISOString()).toBe(expected);
  });

  it.each([
    'From here on it is downhill.',
    'From Mon to Fri we open at 9:30',
    'From alice Thu Nov 24 1986',
    'From alice Thu Nov 24 18:22:48',
    'From alice Nov 24 18:22:48 1986',
    'From: Thu Nov 24 18:22:48 1986',
    '>From alice Thu Nov 24 18:22:48 1986',
    'From alice Thu Nov 24 18:22:48 1986 and so on',
  ])('should not mistake %s for one', (line) => {
    expect([isDatedFromLine(line), fromLineDate(line)]).toEqual([false, null]);
  });

  it.each([
    ['From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019', true],
    ['From 16@xxx Tue Mar 19', false],
    ['From alice@xxx Tue Mar 19 09:13:51 +0000 2019', false],
  ])('should recognise those of Takeout: %s', (line, expected) => {
    expect(isTakeoutFromLine(line)).toBe(expected);
  });
});
