import { isTimeZoneName } from './time-zone';

describe('isTimeZoneName', () => {
  it.each(['UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'asia/kolkata'])(
    'should accept %s',
    (name) => expect(isTimeZoneName(name)).toBe(true),
  );

  it.each(['', '+01:00', 'Mars/Olympus', 'Europe/Paris; x', ' UTC', 'x'.repeat(100), undefined, ['UTC']])(
    'should refuse %j',
    (name) => expect(isTimeZoneName(name)).toBe(false),
  );
});
