import type { MessageDates } from '../../../platform/mime/message-dates';
import { chooseDates } from '../writing/archive-dates';
import type { FoundDates, UndatedMail } from './mail-dates.repository';

const DAY_MS = 86_400_000;

/**
 * Chooses the dates of a mail of an earlier version. Its one date was the arrival if it came from the mailbox. If it was imported,
 * it was the Date header, or else what the source said, or else the midnight before the import.
 * @param header null: it cannot be read, because the mail is encrypted or its file is lost. Then the date stays as it is, and of
 *   imported mail the time of its archiving stands for the arrival.
 */
export function datesOfEarlierMail(mail: UndatedMail, header: MessageDates | null): FoundDates {
  const { date: known, isImported, archivedAt } = mail;
  if (!header) {
    if (isImported) return { mail, date: known, receivedAt: archivedAt, dateSource: null };
    return { mail, date: known, receivedAt: known, dateSource: 'arrival' };
  }
  const isHeader = header.date?.getTime() === known.getTime();
  const isDayOfImport = known.getTime() === archivedAt.getTime() - (archivedAt.getTime() % DAY_MS);
  const arrival = isImported && (isHeader || isDayOfImport) ? null : known;
  const arrivals = isImported ? [header.receivedAt, arrival] : [arrival, header.receivedAt];
  return { mail, ...chooseDates(header.date, arrivals, archivedAt) };
}
