import type ICAL from 'ical.js';
import { addressesOf, type MailboxAddress, senderOf } from './mapi-addresses';
import type { MapiAttachment, MapiMessage } from './mapi-message';
import type { MapiProperties } from './mapi-properties';
import { oneLine } from './one-line';

/** A meeting request, its answer or its cancellation as iCalendar. */
export interface MeetingCalendar {
  readonly method: 'REQUEST' | 'REPLY' | 'CANCEL';
  readonly text: string;
}

const CLASS = /^IPM\.Schedule\.Meeting\.(Request|Canceled|Resp\.(?:Pos|Neg|Tent))(?:\.|$)/i;
const ANSWERS: Readonly<Record<string, string>> = {
  'resp.pos': 'ACCEPTED',
  'resp.neg': 'DECLINED',
  'resp.tent': 'TENTATIVE',
};
/** Where a UID that is not Outlook's stands in a global object id (MS-OXCICAL 2.1.3.1.1.20.26), and what stands before it. */
const UID_AT = 40;
const FOREIGN_UID = Buffer.from('vCal-Uid\x01\0\0\0', 'latin1');
/** Middle of the day: the date of a midnight in any zone up to 12 hours from UTC is that of the instant so much later. */
const HALF_DAY_MS = 12 * 3_600_000;
const PRODUCT = '-//Mailroom//Rebuilt from Outlook//EN';

/**
 * The meeting of a message as iCalendar (RFC 5546), which Outlook keeps as properties (MS-OXCICAL). Null for other
 * messages, for those that have a calendar as attachment, for those that lack a time, an identifier or a date of sending, and for
 * series, whose pattern is not read.
 */
export function meetingCalendarOf(message: MapiMessage): MeetingCalendar | null {
  const { properties } = message;
  const kind = CLASS.exec(properties.readText('messageClass') ?? '')?.[1]?.toLowerCase();
  if (kind === undefined || message.attachments.some(isCalendar)) return null;
  if (properties.readBoolean('meetingIsSeries')) return null;
  const start = properties.readTime('meetingStart') ?? properties.readTime('startDate');
  const end = properties.readTime('meetingEnd') ?? properties.readTime('endDate');
  const stamp = properties.readTime('clientSubmitTime') ?? properties.readTime('messageDeliveryTime');
  const uid = uidOf(properties);
  if (!start || !stamp || uid === null) return null;
  const method = kind === 'request' ? 'REQUEST' : kind === 'canceled' ? 'CANCEL' : 'REPLY';
  const library = calendarLibrary();
  const utc = (date: Date): ICAL.Time => library.Time.fromJSDate(date, true);
  const dateOf = (midnight: Date): ICAL.Time =>
    library.Time.fromDateString(new Date(midnight.getTime() + HALF_DAY_MS).toISOString().slice(0, 10));
  const event = new library.Component('vevent');
  event.addPropertyWithValue('uid', uid);
  event.addPropertyWithValue('dtstamp', utc(stamp));
  const isAllDay = properties.readBoolean('meetingIsAllDay');
  const time = isAllDay ? dateOf : utc;
  event.addPropertyWithValue('dtstart', time(start));
  if (end && end > start) event.addPropertyWithValue('dtend', time(end));
  event.addPropertyWithValue('sequence', properties.readNumber('meetingSequence') ?? 0);
  if (method === 'CANCEL') event.addPropertyWithValue('status', 'CANCELLED');
  // The topic is the title without what an answer puts before it.
  const titles = (['conversationTopic', 'normalizedSubject', 'subject'] as const).map((name) =>
    properties.readText(name),
  );
  addText(event, 'summary', titles.find(Boolean) ?? null);
  addText(event, 'location', properties.readText('meetingLocation'));
  addPeople(event, message, ANSWERS[kind] ?? null);
  const calendar = new library.Component('vcalendar');
  calendar.addPropertyWithValue('prodid', PRODUCT);
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('method', method);
  calendar.addSubcomponent(event);
  return { method, text: `${calendar.toString()}\r\n` };
}

const isCalendar = ({ properties }: MapiAttachment): boolean =>
  /^(?:text\/calendar|application\/ics)\b/i.test(properties.readText('attachMimeTag') ?? '') ||
  /\.ics$/i.test(properties.readText('attachLongFilename') ?? properties.readText('attachFilename') ?? '');

/** @param answer of the sender of a reply; null: the message is the organizer's */
function addPeople(event: ICAL.Component, message: MapiMessage, answer: string | null): void {
  const { from } = senderOf(message.properties);
  const to = addressesOf(message, 'To');
  if (answer !== null) {
    if (to[0]) addPerson(event, 'organizer', to[0]);
    if (from) addPerson(event, 'attendee', from).setParameter('partstat', answer);
    return;
  }
  if (from) addPerson(event, 'organizer', from);
  for (const person of to) addPerson(event, 'attendee', person).setParameter('role', 'REQ-PARTICIPANT');
  for (const person of addressesOf(message, 'Cc'))
    addPerson(event, 'attendee', person).setParameter('role', 'OPT-PARTICIPANT');
}

function addPerson(
  event: ICAL.Component,
  name: string,
  { name: shown, address }: MailboxAddress,
): ICAL.Property {
  const property = event.addPropertyWithValue(name, `mailto:${address}`);
  // A parameter cannot hold quotation marks (RFC 5545 section 3.2).
  if (shown !== '') property.setParameter('cn', shown.replaceAll('"', "'"));
  return property;
}

function addText(event: ICAL.Component, name: string, text: string | null): void {
  const line = oneLine(text);
  if (line) event.addPropertyWithValue(name, line);
}

/** The identifier of a meeting, the same in its request, its answers and its cancellation. */
function uidOf(properties: MapiProperties): string | null {
  const id = properties.readBytes('meetingCleanId') ?? properties.readBytes('meetingId');
  if (!id || id.length === 0) return null;
  const data = id.subarray(UID_AT);
  if (!data.subarray(0, FOREIGN_UID.length).equals(FOREIGN_UID)) return id.toString('hex').toUpperCase();
  const text = data.subarray(FOREIGN_UID.length);
  const end = text.indexOf(0);
  return text.toString('utf8', 0, end === -1 ? text.length : end) || null;
}

function calendarLibrary(): typeof ICAL {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('ical.js') as typeof ICAL;
}
