import { type MimePart, parseMime } from '../../../../sandbox/src/mime/mime-tree';

const quoted = (text: string): string => (text === '' ? 'NIL' : `"${text.replace(/["\\]/g, '\\$&')}"`);
const parameters = (pairs: Readonly<Record<string, string>>): string => {
  const given = Object.entries(pairs).filter(([, value]) => value !== '');
  return given.length === 0
    ? 'NIL'
    : `(${given.map(([name, value]) => `"${name}" ${quoted(value)}`).join(' ')})`;
};

/** BODYSTRUCTURE of a message (RFC 3501 §7.4.2), without the envelopes of messages in it. */
export const bodyStructure = (raw: Buffer): string => structureOf(raw, parseMime(raw));

function structureOf(raw: Buffer, part: MimePart): string {
  const [type = 'text', subtype = 'plain'] = part.mimeType.split('/');
  const disposition =
    part.disposition === ''
      ? 'NIL'
      : `(${quoted(part.disposition)} ${parameters({ filename: part.filename })})`;
  if (part.parts.length > 0 && type === 'multipart') {
    const children = part.parts.map((child) => structureOf(raw, child)).join('');
    return `(${children} ${quoted(subtype)} NIL ${disposition} NIL NIL)`;
  }
  const octets = part.bodyEnd - part.bodyStart;
  const basic = [
    quoted(type),
    quoted(subtype),
    parameters({ charset: part.charset, name: part.filename }),
    quoted(part.contentId),
    'NIL',
    quoted(part.encoding === '' ? '7bit' : part.encoding),
    String(octets),
  ];
  const lines = raw.subarray(part.bodyStart, part.bodyEnd).toString('latin1').split('\n').length - 1;
  if (type === 'text') basic.push(String(lines));
  return `(${basic.join(' ')} NIL ${disposition} NIL NIL)`;
}
