const MIN_TOKEN = 10;
const MIN_DIGITS = 8;
/** Names of parameters that hold a reader or a message even when the value is short. */
const READER_PARAMETERS = new Set(
  'u uid user userid user_id id mid eid sid rid cid lid e em email m msg message messageid message_id r rcpt recipient to t token k key h hash sub subscriber contact c guid uuid upn'.split(
    ' ',
  ),
);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Evidence that a URL distinguishes one reader's image from another's. */
export interface UrlTokens {
  /** Evidence in the query: 2 for a unique value, 1 for a short one under the name of an id, else 0. */
  readonly query: number;
  /** Whether a segment of the path looks random. */
  readonly path: boolean;
}

/** Looks for identifiers, in time proportional to the (bounded) URL. */
export function tokensOf(url: URL): UrlTokens {
  let query = 0;
  for (const [name, value] of new URLSearchParams(url.search.slice(0, 2_048))) {
    if (value !== '' && isToken(value)) query = 2;
    else if (value === '' && isToken(name)) query = 2;
    else if (value !== '' && READER_PARAMETERS.has(name.toLowerCase())) query = Math.max(query, 1);
    if (query === 2) break;
  }
  const segments = url.pathname.slice(0, 2_048).split('/');
  return { query, path: segments.some((segment) => isToken(removeExtension(segment))) };
}

function removeExtension(segment: string): string {
  return segment.replace(/\.[A-Za-z]{2,5}$/, '');
}

/** Whether text looks random: an address, a UUID, a long number, or a run in which cases and digits alternate. */
function isToken(text: string): boolean {
  if (text.length < MIN_DIGITS) return false;
  if (text.includes('@') || UUID.test(text)) return true;
  return text.split(/[^A-Za-z0-9]+/).some(isRandomRun);
}

function isRandomRun(run: string): boolean {
  if (/^\d+$/.test(run)) return run.length >= MIN_DIGITS;
  if (run.length < MIN_TOKEN) return false;
  if (/^[0-9a-f]{16,}$/i.test(run) && /\d/.test(run)) return true;
  let turns = 0;
  for (let at = 1; at < run.length; at++) {
    const before = kindOf(run.charCodeAt(at - 1));
    const kind = kindOf(run.charCodeAt(at));
    // A capital that begins a word is no alternation.
    if (kind !== before && !(before === UPPER && kind === LOWER)) turns++;
  }
  return turns >= 3;
}

const DIGIT = 0;
const UPPER = 1;
const LOWER = 2;

function kindOf(code: number): number {
  if (code < 58) return DIGIT;
  return code < 91 ? UPPER : LOWER;
}
