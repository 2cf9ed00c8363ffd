import type { MessageMetadata } from '../../providers/port/mailbox-provider.port';
import type { ListedMail } from '../mails/search/mail-search.service';

/** Where a message that a search finds is. */
export const FOUND_PLACES = ['mailbox', 'archive', 'both'] as const;
export type FoundPlace = (typeof FOUND_PLACES)[number];

/** A message that a search finds, in the archive, in the live mailbox, or in both. */
export type FoundMessage = {
  readonly accountId: string;
  readonly place: FoundPlace;
  /** ISO 8601, UTC: the date by which the archive orders the mail, else the instant at which the provider accepted it. */
  readonly date: string;
  /** Its fit, from 0; below 0: not ranked. */
  readonly rank: number;
} & (
  | { readonly mail: ListedMail; readonly live: null }
  | { readonly mail: null; readonly live: MessageMetadata }
);

/** The provider's id of a found message. */
export const messageIdOf = ({ mail, live }: FoundMessage): string => mail?.mailbox_message_id ?? live!.id;

/** Newest first. */
export const byDate = (one: FoundMessage, other: FoundMessage): number =>
  compare(other.date, one.date) || compare(messageIdOf(other), messageIdOf(one));

/** Best first; equal ones newest first. */
export const byRank = (one: FoundMessage, other: FoundMessage): number =>
  other.rank - one.rank || byDate(one, other);

/** ISO timestamps in UTC are in the order of their text. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
