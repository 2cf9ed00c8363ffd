import { parseMailDate, readMailDate } from './mail-date';

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

describe('readMailDate', () => {
  it.each([
    ['Wed 29 May 2019 06:09:22 PM EDT', '2019-05-29T22:09:22.000Z'],
    ['Wed, 12 May 2004 12:20:00 AM -0700', '2004-05-12T07:20:00.000Z'],
    ['Wed, 12 May 2004 12:20 p.m. +0000', '2004-05-12T12:20:00.000Z'],
    ['Wed, 29 May 2019 18:09:22 GMT+2', '2019-05-29T16:09:22.000Z'],
    ['Wed, 29 May 2019 18:09:22 UTC+05:30', '2019-05-29T12:39:22.000Z'],
    ['Wed, 29 May 2019 18:09:22 +2', '2019-05-29T16:09:22.000Z'],
    ['Wed, 29 May 2019 18:09:22 -0400 EDT', '2019-05-29T22:09:22.000Z'],
    ['Wed May 12 2004 21:20:00 GMT+0200 (CEST)', '2004-05-12T19:20:00.000Z'],
    ['Wed May 12 21:20:00 EDT 2004', '2004-05-13T01:20:00.000Z'],
    ['Wed May 12 21:20:00 2004 EDT', '2004-05-13T01:20:00.000Z'],
    ['2004-05-12 09:20:30 EST', '2004-05-12T14:20:30.000Z'],
    ['2004-05-12T09:20:30.123Z', '2004-05-12T09:20:30.000Z'],
    ['Mi, 12 Mai 2004 21:20:00 +0200', '2004-05-12T19:20:00.000Z'],
    ['mer., 12 août 2004 21:20:00 +0200', '2004-08-12T19:20:00.000Z'],
    ['Thu, 7 Mar 1996 12:19:36 JST', '1996-03-07T03:19:36.000Z'],
    ['Thu, 4 Jul 1996 12:19:36 MET DST', '1996-07-04T10:19:36.000Z'],
  ])('should read %s without a doubt', (value, expected) => {
    expect(readMailDate(value)).toEqual({ date: new Date(expected), doubt: null });
  });

  it.each([
    ['1999/01/31', '1999-01-31T00:00:00.000Z', 'it has no time'],
    ['12 May 2004', '2004-05-12T00:00:00.000Z', 'it has no time'],
    ['12.05.2004 21:20', '2004-05-12T21:20:00.000Z', 'it has no time zone'],
    ['Wednesday, May 12, 2004 9:20 PM', '2004-05-12T21:20:00.000Z', 'it has no time zone'],
    ['25/12/2004 10:00', '2004-12-25T10:00:00.000Z', 'it has no time zone'],
    ['3/4/2004 10:00 +0000', '2004-03-04T10:00:00.000Z', 'day and month may be the other way round'],
    ['12 May 2004 10:00 IST', '2004-05-12T04:30:00.000Z', 'its time zone has several meanings'],
    ['12 May 2004 10:00 Mordor', '2004-05-12T10:00:00.000Z', 'its time zone is not known'],
    ['12 May 2004 10:00 +9900', '2004-05-12T10:00:00.000Z', 'its time zone does not exist'],
  ])('should read %s with a doubt', (value, expected, doubt) => {
    expect(readMailDate(value)).toEqual({ date: new Date(expected), doubt });
  });

  it.each([
    '31 Feb 2020 10:00 +0000',
    '2021-02-29',
    '31/11/2004 10:00',
    '12 May 2004 25:00',
    '1 Jan 99999 10:00',
  ])('should not read %s, which no calendar or clock has', (value) => {
    expect(readMailDate(value)).toBeNull();
  });
});
