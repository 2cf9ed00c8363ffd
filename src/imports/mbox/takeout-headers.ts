import { decodeHeaderText } from '../../mime/headers/encoded-words';
import { systemLabelId } from './takeout-labels';

/** Takeout writes its own fields first; a sender's are further down and mean nothing. */
const FIRST_FIELD = /^x-gm(?:-thrid|ail-labels):/i;
const MAX_HEAD = 64 * 1024;
const MAX_LABELS = 500;
const MAX_LABEL_LENGTH = 255;
/** One of a list, quoted where it holds a comma. */
const LISTED = /\s*(?:"((?:[^"\\]|\\.)*)"[^,]*|([^,]*))(?:,|$)/gy;

/** What a Google Takeout file says of a message beyond its own headers. */
export interface TakeoutHeaders {
  /** As the provider's API writes it, in hexadecimal. */
  readonly threadId: string | null;
  readonly labelIds: readonly string[];
}

/** Reads `X-GM-THRID` and `X-Gmail-Labels` where a message begins with them, else finds nothing. */
export function takeoutHeaders(message: Buffer): TakeoutHeaders {
  const start = message.toString('latin1', 0, 32);
  if (!FIRST_FIELD.test(start)) return { threadId: null, labelIds: [] };
  const head = message.toString('latin1', 0, MAX_HEAD);
  const thread = /^\d{1,20}$/.exec(fieldOf(head, 'x-gm-thrid') ?? '')?.[0];
  const labels = fieldOf(head, 'x-gmail-labels');
  return {
    threadId: thread === undefined ? null : BigInt(thread).toString(16),
    labelIds: labels === null ? [] : labelIdsOf(decodeHeaderText(labels)),
  };
}

/** The value of the first such field, unfolded; only the header block is looked at. */
function fieldOf(head: string, name: string): string | null {
  const end = head.indexOf('\r\n\r\n');
  const fields = (end === -1 ? head : head.slice(0, end)).replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const field = fields.find((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return field === undefined ? null : field.slice(name.length + 1).trim();
}

/** Each label once; system labels by their id. */
function labelIdsOf(list: string): string[] {
  const labels = new Set<string>();
  let seen = 0;
  for (const [, quoted, plain] of list.matchAll(LISTED)) {
    const label = (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').trim().slice(0, MAX_LABEL_LENGTH);
    const id = systemLabelId(label) ?? label;
    if (id !== '') labels.add(id);
    // Not of different ones: each may take a look at the whole list.
    if (++seen === MAX_LABELS) break;
  }
  return [...labels];
}
