/** Fields that describe how the body was encoded, which is encoded anew. */
const OF_BODY =
  /^(?:content-(?:type|transfer-encoding|disposition|id|description|location|base|length)|mime-version|lines)$/i;
const FIELD = /^([!-9;-~]+)[ \t]*:/;

/** The header fields that a message had when Outlook received it. */
export interface TransportHeaders {
  /** Fields one after the other with CRLF line ends, without those of the body. */
  readonly text: string;
  /** Names of the fields, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Value of Content-Type; null: none. */
  readonly contentType: string | null;
}

/** Reads PR_TRANSPORT_MESSAGE_HEADERS. Lines that are no field, as older versions of Exchange put first, are left out. */
export function readTransportHeaders(text: string): TransportHeaders {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n+/, '').split('\n');
  const end = lines.indexOf('');
  const fields: { name: string; lines: string[] }[] = [];
  let isField = false;
  for (const line of end === -1 ? lines : lines.slice(0, end)) {
    const name = FIELD.exec(line)?.[1];
    if (name !== undefined) fields.push({ name: name.toLowerCase(), lines: [line] });
    else if (isField && /^[ \t]/.test(line)) fields.at(-1)!.lines.push(line);
    isField = name !== undefined || (isField && /^[ \t]/.test(line));
  }
  const kept = fields.filter(({ name }) => !OF_BODY.test(name));
  const contentType = fields.find(({ name }) => name === 'content-type');
  return {
    text: kept.map(({ lines: own }) => `${own.join('\r\n')}\r\n`).join(''),
    names: new Set(kept.map(({ name }) => name)),
    contentType: contentType ? contentType.lines.join(' ').replace(/^[^:]*:\s*/, '') : null,
  };
}
