import libmime from 'libmime';
import type { Person } from './people';

const NON_ASCII = /[^\x20-\x7e]/;

/** An unstructured value, as RFC 2047 encoded words when it is not ASCII. */
export function encodeText(text: string, form: 'Q' | 'B' = 'Q'): string {
  if (!NON_ASCII.test(text)) return text;
  return libmime.encodeWord(text, form, 52).replace(/\?=\s*=\?/g, '?=\r\n =?');
}

/** `Name <address>`, quoted or encoded as the name needs. */
export function encodePerson(person: Person): string {
  if (person.name === '') return person.address;
  if (NON_ASCII.test(person.name)) return `${encodeText(person.name)} <${person.address}>`;
  if (/[^A-Za-z0-9 ]/.test(person.name))
    return `"${person.name.replace(/["\\]/g, '\\$&')}" <${person.address}>`;
  return `${person.name} <${person.address}>`;
}

export function encodePeople(people: readonly Person[]): string {
  return people.map(encodePerson).join(',\r\n\t');
}

/** The readable form of a person, as search and facts see it. */
export function displayPerson(person: Person): string {
  return person.name === '' ? person.address : `${person.name} <${person.address}>`;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 5322 §3.3 date-time at an offset from UTC in hours. */
export function encodeDate(ms: number, offsetHours = 0): string {
  const date = new Date(ms + offsetHours * 3_600_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const zone = `${offsetHours < 0 ? '-' : '+'}${two(Math.abs(offsetHours))}00`;
  return (
    `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ` +
    `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${zone}`
  );
}

export type FilenameForm = 'plain' | 'rfc2231' | 'rfc2231-continued' | 'rfc2047';

/** The headers of an attachment, its name in one of the forms mailers really use for Unicode names. */
export function attachmentHeaders(
  type: string,
  filename: string,
  form: FilenameForm,
  disposition: 'attachment' | 'inline' = 'attachment',
): string[] {
  const percent = (text: string): string =>
    encodeURIComponent(text).replace(
      /['()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  if (form === 'rfc2231') {
    return [
      `Content-Type: ${type}`,
      `Content-Disposition: ${disposition}; filename*=utf-8''${percent(filename)}`,
    ];
  }
  if (form === 'rfc2231-continued') {
    const middle = Math.ceil(filename.length / 2);
    return [
      `Content-Type: ${type}`,
      `Content-Disposition: ${disposition};\r\n\tfilename*0*=utf-8''${percent(filename.slice(0, middle))};\r\n\tfilename*1*=${percent(filename.slice(middle))}`,
    ];
  }
  const name = form === 'rfc2047' ? libmime.encodeWord(filename, 'B') : filename;
  return [
    `Content-Type: ${type};\r\n\tname="${name}"`,
    `Content-Disposition: ${disposition};\r\n\tfilename="${name}"`,
  ];
}
