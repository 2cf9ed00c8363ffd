import { parseMailDate } from './mail-date';

describe('parseMailDate', () => {
  it.each([
    ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T15:55:06.000Z'],
    ['21 Nov 97 09:55 GMT', '1997-11-21T09:55:00.000Z'],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06 -0600', '1997-11-21T15:55:06.000Z'],
    ['Mon, 1 Jan 24 00:00:00 +0530 (IST)', '2023-12-31T18:30:00.000Z'],
    ['Tue, 5 March 2019 1:02:03 EST', '2019-03-05T06:02:03.000Z'],
    ['Thu Nov 24 18:22:48 1986', '1986-11-24T18:22:48.000Z'],
    ['Tue Mar 19 09:13:51 +0000 2019', '2019-03-19T09:13:51.000Z'],
    ['Wed, 01 Jan 2020 10:00:00 GMT+02:00', '2020-01-01T08:00:00.000Z'],
    ['31 Dec 2016 23:59:60 +0000', '2016-12-31T23:59:59.000Z'],
    ['2020-02-03T04:05:06+01:00', '2020-02-03T03:05:06.000Z'],
    ['2020-02-03 04:05', '2020-02-03T04:05:00.000Z'],
    ['2020-02-03', '2020-02-03T00:00:00.000Z'],
  ])('should read %s', (value, expected) => {
    expect(parseMailDate(value)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    'Fri, 32 Nov 1997 09:55:06',
    '12 Foo 2020 10:00',
    '2020-13-45',
    '1 Jan 1500 10:00:00',
    '('.repeat(500),
  ])('should return null for %s', (value) => {
    expect(parseMailDate(value)).toBeNull();
  });
});
