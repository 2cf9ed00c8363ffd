import { allLeavesOf } from '../attachment-parts';
import { writtenText } from '../body-text';
import { Defects } from '../defects';
import type { MimeEntity } from '../mime-tree';
import { isCalendar } from './invitations';

const MAX_BYTES = 512 * 1024;
const TEXT_FIELD = /^(?:SUMMARY|LOCATION|DESCRIPTION)(?:;[^:]*)?:(.*)$/i;
const PERSON_FIELD = /^(?:ORGANIZER|ATTENDEE)(?:;((?:"[^"]*"|[^:"])*))?:(?:mailto:)?(.*)$/i;

/** The words of all calendars of a message, a line each; invitations come twice, as text and as a file. */
export function calendarLines(root: MimeEntity): string {
  const lines = allLeavesOf(root)
    .filter(isCalendar)
    .slice(0, MAX_CALENDARS)
    .flatMap((leaf) => calendarText(leaf).split('\n'));
  return [...new Set(lines)].join('\n');
}

const MAX_CALENDARS = 10;

/** The words of a calendar (RFC 5545) by which people look for it: what, where and with whom. Linear in its length. */
function calendarText(leaf: MimeEntity): string {
  const text = writtenText(leaf, MAX_BYTES, new Defects()).replace(/\r?\n[ \t]/g, '');
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const value = TEXT_FIELD.exec(line)?.[1];
    if (value !== undefined) return unescapeText(value);
    const [, parameters = '', address] = PERSON_FIELD.exec(line) ?? [];
    if (address === undefined) return [];
    const name = /(?:^|;)CN=(?:"([^"]*)"|([^;"]*))/i.exec(parameters);
    return `${name?.[1] ?? name?.[2] ?? ''} ${address}`.trim();
  });
  return [...new Set(lines)].filter((line) => line.trim() !== '').join('\n');
}

const unescapeText = (value: string): string =>
  value.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
