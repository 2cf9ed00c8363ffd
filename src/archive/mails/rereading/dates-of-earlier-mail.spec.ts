import { datesOfEarlierMail } from './dates-of-earlier-mail';
import type { OutdatedMail } from './outdated-mails.repository';

const at = (text: string): Date => new Date(text);
const ARCHIVED = at('2026-11-29T17:00:00.000Z');
const ARRIVED = at('2026-11-20T00:00:00.000Z');
const HEADER = at('2009-03-03T10:00:00.000Z');
const RECEIVED = at('2009-03-03T10:00:05.000Z');

const mailOf = (mail: Partial<OutdatedMail>): OutdatedMail => ({
  id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  storage: 'local',
  storageKey: 'key',
  sizeBytes: 100,
  sha256: '',
  isEncrypted: false,
  isImported: false,
  date: ARRIVED,
  receivedAt: null,
  dateSource: null,
  archivedAt: ARCHIVED,
  ...mail,
});

describe('datesOfEarlierMail', () => {
  it('should take the one date of mail of the mailbox as its arrival', () => {
    expect(datesOfEarlierMail(mailOf({}), { date: HEADER, receivedAt: RECEIVED })).toMatchObject({
      date: HEADER,
      receivedAt: ARRIVED,
      dateSource: 'header',
    });
  });

  it('should keep the arrival as the date when the Date header is absurd', () => {
    const header = { date: at('2089-01-01T00:00:00.000Z'), receivedAt: RECEIVED };
    expect(datesOfEarlierMail(mailOf({}), header)).toMatchObject({
      date: ARRIVED,
      receivedAt: ARRIVED,
      dateSource: 'arrival',
    });
  });

  it('should take the Received header of imported mail as its arrival', () => {
    const mail = mailOf({ isImported: true, date: HEADER });
    expect(datesOfEarlierMail(mail, { date: HEADER, receivedAt: RECEIVED })).toMatchObject({
      date: HEADER,
      receivedAt: RECEIVED,
      dateSource: 'header',
    });
  });

  it('should take the day of the import as the arrival of imported mail that was never received', () => {
    const mail = mailOf({ isImported: true, date: HEADER });
    expect(datesOfEarlierMail(mail, { date: HEADER, receivedAt: null })).toMatchObject({
      date: HEADER,
      receivedAt: at('2026-11-29T00:00:00.000Z'),
      dateSource: 'header',
    });
  });

  it('should take the date of the source when imported mail has no Date header', () => {
    const mail = mailOf({ isImported: true });
    expect(datesOfEarlierMail(mail, { date: null, receivedAt: null })).toMatchObject({
      date: ARRIVED,
      dateSource: 'arrival',
    });
  });

  it('should replace the absurd date of imported mail', () => {
    const absurd = at('2089-01-01T00:00:00.000Z');
    const mail = mailOf({ isImported: true, date: absurd });
    expect(datesOfEarlierMail(mail, { date: absurd, receivedAt: RECEIVED })).toMatchObject({
      date: RECEIVED,
      receivedAt: RECEIVED,
      dateSource: 'arrival',
    });
  });

  it('should say that nothing but the import is known', () => {
    const midnight = at('2026-11-29T00:00:00.000Z');
    const mail = mailOf({ isImported: true, date: midnight });
    expect(datesOfEarlierMail(mail, { date: null, receivedAt: null })).toMatchObject({
      date: midnight,
      receivedAt: midnight,
      dateSource: 'import',
    });
  });

  it('should keep the date of mail whose header cannot be read', () => {
    expect(datesOfEarlierMail(mailOf({}), null)).toMatchObject({
      date: ARRIVED,
      receivedAt: ARRIVED,
      dateSource: 'arrival',
    });
    expect(datesOfEarlierMail(mailOf({ isImported: true, date: HEADER }), null)).toMatchObject({
      date: HEADER,
      receivedAt: ARCHIVED,
      dateSource: null,
    });
  });

  describe('of mail that has both', () => {
    const both = { date: ARRIVED, receivedAt: ARRIVED, dateSource: 'arrival' as const };

    it('should take a Date header that can be read now', () => {
      expect(datesOfEarlierMail(mailOf(both), { date: HEADER, receivedAt: RECEIVED })).toEqual({
        date: HEADER,
        receivedAt: ARRIVED,
        dateSource: 'header',
      });
    });

    it('should keep the arrival, whatever the Received header says', () => {
      const absurd = at('2089-01-01T00:00:00.000Z');
      expect(datesOfEarlierMail(mailOf(both), { date: absurd, receivedAt: RECEIVED })).toEqual(both);
    });

    it('should stay when the header cannot be read', () => {
      expect(datesOfEarlierMail(mailOf(both), null)).toEqual(both);
    });

    it('should take a Received header for the day of an import', () => {
      const midnight = at('2026-11-29T00:00:00.000Z');
      const mail = mailOf({ isImported: true, date: midnight, receivedAt: midnight, dateSource: 'import' });
      expect(datesOfEarlierMail(mail, { date: null, receivedAt: RECEIVED })).toEqual({
        date: RECEIVED,
        receivedAt: RECEIVED,
        dateSource: 'arrival',
      });
      expect(datesOfEarlierMail(mail, { date: HEADER, receivedAt: null })).toEqual({
        date: HEADER,
        receivedAt: midnight,
        dateSource: 'header',
      });
    });
  });
});
