import type { MessageDates } from '../../../platform/mime/message-dates';
import { type ArchiveDates, chooseDates } from '../writing/archive-dates';
import type { OutdatedMail } from './outdated-mails.repository';

/** The dates of a mail of an earlier version. */
export interface FoundDates extends Omit<ArchiveDates, 'dateSource'> {
  /** null: not known, because the header cannot be read. */
  readonly dateSource: ArchiveDates['dateSource'] | null;
}

const midnightBefore = (date: Date): number => date.getTime() - (date.getTime() % DAY_MS);
const DAY_MS = 86_400_000;

/**
 * Chooses the dates of a mail of an earlier version.
 * @param header null: it cannot be read, because the mail is encrypted or its file is lost or another one
 */
export function datesOfEarlierMail(mail: OutdatedMail, header: MessageDates | null): FoundDates {
  const { receivedAt } = mail;
  if (receivedAt === null) return datesOfUndated(mail, header);
  if (!header) return { date: mail.date, receivedAt, dateSource: mail.dateSource };
  // The day of an import stands for an arrival that is not known.
  const isKnown = !mail.isImported || receivedAt.getTime() !== midnightBefore(mail.archivedAt);
  const chosen = chooseDates(header.date, [isKnown ? receivedAt : header.receivedAt], mail.archivedAt);
  return isKnown ? { ...chosen, receivedAt } : chosen;
}

/**
 * Its one date was the arrival if it came from the mailbox. If it was imported, it was the Date header, or else what the source
 * said, or else the midnight before the import. Without a header the date stays as it is, and of imported mail the time of its
 * archiving stands for the arrival.
 */
function datesOfUndated(mail: OutdatedMail, header: MessageDates | null): FoundDates {
  const { date: known, isImported, archivedAt } = mail;
  if (!header) {
    if (isImported) return { date: known, receivedAt: archivedAt, dateSource: null };
    return { date: known, receivedAt: known, dateSource: 'arrival' };
  }
  const isHeader = header.date?.getTime() === known.getTime();
  const isDayOfImport = known.getTime() === midnightBefore(archivedAt);
  const arrival = isImported && (isHeader || isDayOfImport) ? null : known;
  const arrivals = isImported ? [header.receivedAt, arrival] : [arrival, header.receivedAt];
  return chooseDates(header.date, arrivals, archivedAt);
}
