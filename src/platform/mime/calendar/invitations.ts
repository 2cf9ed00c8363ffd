import type ICAL from 'ical.js';
import { declaredFilename, openedLeavesOf } from '../attachment-parts';
import { writtenText } from '../body-text';
import { Defects } from '../defects';
import { singleLine } from '../header-text';
import type { MimeEntity } from '../mime-tree';
import { instantIn, isKnownZone } from './zone-times';

/** Methods of RFC 5546 §1.4, as far as people see them. */
export const INVITATION_METHODS = [
  'publish',
  'request',
  'reply',
  'add',
  'cancel',
  'refresh',
  'counter',
  'declinecounter',
] as const;
export type InvitationMethod = (typeof INVITATION_METHODS)[number];

export const ANSWERS = ['accepted', 'declined', 'tentative', 'delegated', 'none'] as const;
export type Answer = (typeof ANSWERS)[number];

export const FREQUENCIES = [
  'secondly',
  'minutely',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface Participant {
  readonly name: string;
  readonly address: string;
}

/** When an event begins or ends. */
export interface EventTime {
  /** Date, and time unless it is of a whole day, as the event's own place reads its clock: `2024-06-03T10:00:00`. */
  readonly local: string;
  /** The same in UTC; null for whole days, for times that hold in every zone, and where the zone is not known. */
  readonly instant: string | null;
  /** Zone of the event as it names it; null without one. */
  readonly zone: string | null;
}

export interface Recurrence {
  readonly frequency: Frequency;
  /** Every so many days, weeks, months or years. */
  readonly interval: number;
  /** Number of events; null: no such limit. */
  readonly count: number | null;
  /** Date of the last one; null: no such limit. */
  readonly until: string | null;
  /** Days of the week as `MO`, `-1FR`. */
  readonly weekdays: readonly string[];
  /** Whether there are rules beside these, which the words above do not tell. */
  readonly isPartial: boolean;
}

/** An event that is sent by mail (iCalendar, RFC 5545 and RFC 5546). */
export interface Invitation {
  readonly method: InvitationMethod | null;
  readonly title: string;
  readonly location: string;
  readonly start: EventTime | null;
  /** The end; for whole days, the day after the last one. */
  readonly end: EventTime | null;
  readonly isAllDay: boolean;
  readonly isCancelled: boolean;
  /** Whether an earlier version was sent. */
  readonly isUpdate: boolean;
  readonly organizer: Participant | null;
  readonly attendees: readonly (Participant & { readonly answer: Answer; readonly isOptional: boolean })[];
  readonly recurrence: Recurrence | null;
}

const CALENDAR_TYPE = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/;
const MAX_BYTES = 512 * 1024;
const MAX_INVITATIONS = 10;
const MAX_ATTENDEES = 200;
const MAX_TEXT = 998;

/** Whether a leaf is a calendar: by its type, or a file by its name. */
export function isCalendar(leaf: MimeEntity): boolean {
  return CALENDAR_TYPE.test(leaf.mediaType) || /\.(?:ics|vcs)$/i.test(declaredFilename(leaf) ?? '');
}

/**
 * Reads the invitations of a message, each once, at most 10 with 200 attendees each. A file without a method is a calendar that was
 * attached, and none. Never throws because of the content of a message. The library for calendars is loaded with the first one.
 */
export function readInvitations(root: MimeEntity): Invitation[] {
  const leaves = openedLeavesOf(root).filter(isCalendar);
  const found = new Map<string, Invitation>();
  for (const leaf of leaves.slice(0, MAX_INVITATIONS)) {
    for (const invitation of invitationsIn(leaf)) {
      if (found.size < MAX_INVITATIONS) found.set(JSON.stringify(invitation), invitation);
    }
  }
  return [...found.values()];
}

function invitationsIn(leaf: MimeEntity): Invitation[] {
  if (leaf.bodyEnd - leaf.bodyStart > 2 * MAX_BYTES) return [];
  const text = writtenText(leaf, MAX_BYTES, new Defects());
  if (!/BEGIN:VEVENT/i.test(text)) return [];
  try {
    const calendar = parseCalendar(text);
    const method = methodOf(
      calendar.getFirstPropertyValue('method') ?? leaf.contentType.parameters.get('method'),
    );
    if (method === null && leaf.disposition.value === 'attachment') return [];
    return calendar
      .getAllSubcomponents('vevent')
      .slice(0, MAX_INVITATIONS)
      .map((event) => readEvent(event, calendar, method));
  } catch {
    // The library throws errors of many kinds for what is no calendar.
    return [];
  }
}

function parseCalendar(text: string): ICAL.Component {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const library = require('ical.js') as typeof ICAL;
  const parsed = library.parse(text) as unknown[];
  // Several calendars in one text come as a list of them.
  const first = typeof parsed[0] === 'string' ? parsed : (parsed[0] as unknown[]);
  return new library.Component(first);
}

function readEvent(
  event: ICAL.Component,
  calendar: ICAL.Component,
  method: InvitationMethod | null,
): Invitation {
  const start = timeOf(event.getFirstProperty('dtstart'), calendar);
  const organizer = event.getFirstProperty('organizer');
  return {
    method,
    title: textOf(event, 'summary'),
    location: textOf(event, 'location'),
    start,
    end: timeOf(event.getFirstProperty('dtend'), calendar) ?? endByDuration(event, start),
    isAllDay: start !== null && !start.local.includes('T'),
    isCancelled: method === 'cancel' || textOf(event, 'status').toLowerCase() === 'cancelled',
    isUpdate: method === 'request' && Number(event.getFirstPropertyValue('sequence') ?? 0) > 0,
    organizer: organizer ? participantOf(organizer) : null,
    attendees: event
      .getAllProperties('attendee')
      .slice(0, MAX_ATTENDEES)
      .map((attendee) => ({
        ...participantOf(attendee),
        answer: answerOf(parameterOf(attendee, 'partstat')),
        isOptional: parameterOf(attendee, 'role').toLowerCase() === 'opt-participant',
      })),
    recurrence: recurrenceOf(event),
  };
}

function methodOf(value: unknown): InvitationMethod | null {
  const method = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return INVITATION_METHODS.find((known) => known === method) ?? null;
}

const textOf = (event: ICAL.Component, name: string): string => tidy(event.getFirstPropertyValue(name));

const tidy = (value: unknown): string =>
  typeof value === 'string' ? singleLine(value).slice(0, MAX_TEXT) : '';

function parameterOf(property: ICAL.Property, name: string): string {
  const value: unknown = property.getParameter(name);
  return tidy(Array.isArray(value) ? value[0] : value);
}

function participantOf(property: ICAL.Property): Participant {
  const address = tidy(property.getFirstValue()).replace(/^mailto:/i, '');
  const name = parameterOf(property, 'cn');
  return { name: name.toLowerCase() === address.toLowerCase() ? '' : name, address };
}

function answerOf(value: string): Answer {
  const answer = value.toLowerCase();
  return ANSWERS.find((known) => known === answer) ?? 'none';
}

function timeOf(property: ICAL.Property | null, calendar: ICAL.Component): EventTime | null {
  const value = property?.getFirstValue() as ICAL.Time | undefined;
  if (!property || !value || value.icalclass !== 'icaltime') return null;
  const local = value.toString().replace(/Z$/, '');
  if (value.isDate) return { local: local.slice(0, 10), instant: null, zone: null };
  if (value.zone?.tzid === 'UTC') return { local, instant: `${local}Z`, zone: 'UTC' };
  const zone = parameterOf(property, 'tzid');
  return { local, instant: zone === '' ? null : instantOf(local, zone, calendar), zone: zone || null };
}

/** Zones that the world knows are computed with its rules, others with those that the calendar contains. */
function instantOf(local: string, zone: string, calendar: ICAL.Component): string | null {
  if (isKnownZone(zone)) return instantIn(zone, local);
  const rules = calendar.getAllSubcomponents('vtimezone').find((known) => textOf(known, 'tzid') === zone);
  return rules ? instantByRules(local, rules) : null;
}

function endByDuration(event: ICAL.Component, start: EventTime | null): EventTime | null {
  const duration = event.getFirstPropertyValue('duration') as ICAL.Duration | null;
  if (!start || duration?.icalclass !== 'icalduration') return null;
  const isDay = !start.local.includes('T');
  const shift = (time: string): string =>
    new Date(Date.parse(`${time}Z`) + duration.toSeconds() * 1_000).toISOString().slice(0, 19);
  if (isDay) return { ...start, local: shift(`${start.local}T00:00:00`).slice(0, 10) };
  const instant = start.instant === null ? null : `${shift(start.instant.slice(0, 19))}Z`;
  return { ...start, local: shift(start.local), instant };
}

function recurrenceOf(event: ICAL.Component): Recurrence | null {
  const [rule, ...others] = event
    .getAllProperties('rrule')
    .map((property) => property.getFirstValue() as ICAL.Recur);
  const hasDates = event.getFirstProperty('rdate') !== null;
  const frequency = FREQUENCIES.find((known) => known === rule?.freq?.toLowerCase());
  if (!rule || frequency === undefined) return null;
  const parts = Object.keys(rule.parts ?? {});
  const weekdays = frequency === 'yearly' ? [] : (rule.parts.BYDAY ?? []).map(String);
  return {
    frequency,
    interval: Math.max(1, Number(rule.interval) || 1),
    count: rule.count ?? null,
    until: rule.until ? rule.until.toString().slice(0, 10) : null,
    weekdays: weekdays.slice(0, 7),
    isPartial:
      others.length > 0 || hasDates || parts.some((part) => part !== 'BYDAY' || weekdays.length === 0),
  };
}

const SIMPLE_RULE =
  /^FREQ=YEARLY(?:;(?:INTERVAL=1|BYDAY=-?[1-5](?:MO|TU|WE|TH|FR|SA|SU)|BYMONTH=\d{1,2}|WKST=[A-Z]{2}|UNTIL=\w+))*$/i;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * Computes a time by the rules in a calendar. Only yearly rules of the n-th weekday of a month are read, as programs write them: a rule
 * of any other form could keep the library busy for ever.
 */
function instantByRules(local: string, zone: ICAL.Component): string | null {
  const time = Date.parse(`${local}Z`);
  const year = new Date(time).getUTCFullYear();
  let latest = { at: -Infinity, offset: null as number | null };
  for (const observance of [
    ...zone.getAllSubcomponents('standard'),
    ...zone.getAllSubcomponents('daylight'),
  ]) {
    const offset = offsetOf(observance.getFirstPropertyValue('tzoffsetto'));
    const start = (observance.getFirstPropertyValue('dtstart') as ICAL.Time | null)?.toString() ?? '';
    const begun = Date.parse(`${start.slice(0, 19)}Z`);
    const rule = observance.getFirstPropertyValue('rrule')?.toString() ?? '';
    if (offset === null || Number.isNaN(begun) || (rule !== '' && !SIMPLE_RULE.test(rule))) return null;
    const begins = rule === '' ? [begun] : [year - 1, year].map((of) => begunIn(of, rule, begun));
    for (const at of begins) if (at >= begun && at <= time && at > latest.at) latest = { at, offset };
  }
  if (latest.offset === null) return null;
  return new Date(time - latest.offset * 1_000).toISOString().replace('.000', '');
}

/** Seconds from UTC. */
function offsetOf(value: unknown): number | null {
  const match = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(String(value));
  if (!match) return null;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const offset = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** When an observance begins in a year, by its rule and the time of day of its first beginning. */
function begunIn(year: number, rule: string, first: number): number {
  const start = new Date(first);
  const month = Number(/BYMONTH=(\d+)/i.exec(rule)?.[1] ?? start.getUTCMonth() + 1) - 1;
  const [, nth, weekday = ''] = /BYDAY=(-?\d)(..)/i.exec(rule) ?? [];
  const timeOfDay = first - Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
  if (nth === undefined) return Date.UTC(year, month, start.getUTCDate()) + timeOfDay;
  const wanted = WEEKDAYS.indexOf(weekday.toUpperCase());
  const count = Number(nth);
  const anchor = new Date(Date.UTC(year, count > 0 ? month : month + 1, count > 0 ? 1 : 0));
  const step = count > 0 ? (wanted - anchor.getUTCDay() + 7) % 7 : -((anchor.getUTCDay() - wanted + 7) % 7);
  const weeks = count > 0 ? count - 1 : count + 1;
  return anchor.getTime() + (step + weeks * 7) * 86_400_000 + timeOfDay;
}
