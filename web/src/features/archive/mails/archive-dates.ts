import type { OfMail } from './of-mail';

const DAY_MS = 86_400_000;

/** The arrival of a mail, if it is more than a day away from the date that is shown; null: it is not, or is not known. */
export function distantArrival({
  date,
  received_at: receivedAt,
}: Pick<OfMail['mail'], 'date' | 'received_at'>): string | null {
  if (receivedAt === null) return null;
  return Math.abs(Date.parse(receivedAt) - Date.parse(date)) > DAY_MS ? receivedAt : null;
}

/** Whether the date that is shown is not the Date header, which is missing or not credible. */
export const isDateDoubtful = ({ date_source: source }: Pick<OfMail['mail'], 'date_source'>): boolean =>
  source === 'arrival' || source === 'import';
