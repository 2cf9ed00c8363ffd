import type { HeaderFields } from './header-block';
import { parseStructuredValue } from './header-text';
import type { MimeEntity } from './mime-tree';

export interface PartDescription {
  readonly source: Buffer;
  readonly partId: string;
  readonly mediaType: string;
  /** Range of the body in `source`. */
  readonly start: number;
  readonly end: number;
  readonly encoding?: string;
  readonly filename?: string;
  readonly charset?: string;
  /** Without angle brackets. */
  readonly contentId?: string;
  /** Decoded values by lower-case name. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly isInline?: boolean;
}

/** Creates an entity for something that is no MIME part: a file in a text, an attachment of winmail.dat. */
export function createPart(part: PartDescription): MimeEntity {
  const { filename, charset, isInline = false } = part;
  const isFile = filename !== undefined && !isInline;
  const parameters = new Map(charset === undefined ? [] : [['charset', charset]]);
  return {
    partId: part.partId,
    fields: fieldsOf(part),
    source: part.source,
    start: part.start,
    mediaType: part.mediaType,
    contentType: { value: part.mediaType, parameters, literals: parameters },
    disposition: {
      ...parseStructuredValue(isFile ? 'attachment' : ''),
      parameters: new Map(filename === undefined ? [] : [['filename', filename]]),
    },
    encoding: part.encoding ?? 'binary',
    bodyStart: part.start,
    bodyEnd: part.end,
    children: null,
    message: null,
    content: null,
    isWrapping: false,
    isOnlyPart: false,
  };
}

function fieldsOf({ contentId, fields = {} }: PartDescription): HeaderFields {
  const values = { ...fields, ...(contentId !== undefined && { 'content-id': `<${contentId}>` }) };
  // Values of fields have a UTF-16 unit for each byte.
  return new Map(
    Object.entries(values).map(([name, value]) => [name, [Buffer.from(value, 'utf8').toString('latin1')]]),
  );
}
