import { formatAddress, parseAddressList } from './address-list';
import { firstField } from './header-block';
import { decodeHeaderText } from './header-text';
import type { MimeEntity } from './mime-tree';

/** Longest value of a heading, in UTF-16 units. */
const MAX_VALUE = 998;

/** A line of what a reader sees above a message. */
export interface HeadingLine {
  readonly name: 'From' | 'To' | 'Cc' | 'Date' | 'Subject';
  readonly value: string;
}

/** Reads sender, recipients, date and subject of a message in another one, as they are written; lines without a value are left out. */
export function readHeading({ fields }: Pick<MimeEntity, 'fields'>): HeadingLine[] {
  const addresses = (name: string): string =>
    parseAddressList(firstField(fields, name) ?? '')
      .map(formatAddress)
      .join(', ');
  const text = (name: string): string => decodeHeaderText(firstField(fields, name) ?? '');
  const lines: HeadingLine[] = [
    { name: 'From', value: addresses('from') },
    { name: 'To', value: addresses('to') },
    { name: 'Cc', value: addresses('cc') },
    { name: 'Date', value: text('date') },
    { name: 'Subject', value: text('subject') },
  ];
  return lines
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => ({ name, value: value.slice(0, MAX_VALUE) }));
}

/** Formats a heading as text, the subject first: it says most in a preview. */
export function headingText(lines: readonly HeadingLine[]): string {
  const subject = lines.filter(({ name }) => name === 'Subject').map(({ value }) => value);
  const others = lines.filter(({ name }) => name !== 'Subject').map(({ name, value }) => `${name}: ${value}`);
  return [...subject, ...others].join('\n');
}
