const BOM = '\ufeff';
/** Bytes of a header in which its fields are counted. */
const MAX_FIELDS_READ = 16 * 1024;
/** Fields that only messages have, or that text hardly begins with. */
const KNOWN =
  /^(from|date|subject|received|message-id|to|cc|bcc|sender|reply-to|return-path|delivered-to|mime-version|content-type|content-transfer-encoding|in-reply-to|references|list-id|dkim-signature|authentication-results|x-mozilla-status|x-gm-thrid|x-gmail-labels|envelope-to|x-original-to)[ \t]*:/i;
const FIELD = /^[\x21-\x39\x3b-\x7e]+[ \t]*:/;
const CONTINUED = /^[ \t]/;
/** Pages that browsers save have the header of a message (MHTML). */
const SAVED_PAGE = /^(?:from: <saved by |snapshot-content-location:)/im;

/**
 * Number of different fields of messages with which a text begins, up to the first empty line. A header has two at least;
 * a text that is no message seldom has one. Lines that are no field are passed over while fewer than the fields, as
 * broken programs write them.
 */
export function countMessageFields(start: Buffer): number {
  const text = start.toString('latin1', 0, MAX_FIELDS_READ).replace(/^\u00ef\u00bb\u00bf/, BOM);
  const found = new Set<string>();
  let fields = 0;
  let others = 0;
  for (const line of text.replace(BOM, '').split(/\r\n|\r|\n/)) {
    if (line === '') break;
    const name = KNOWN.exec(line)?.[1];
    if (name) found.add(name.toLowerCase());
    if (name || FIELD.test(line)) fields += 1;
    else if (!CONTINUED.test(line) || fields === 0) others += 1;
    if (others > 0 && others >= fields) break;
  }
  return found.size;
}

/** Whether a file is a message (RFC 5322): it begins with a credible header. */
export function isMessage(start: Buffer, fields = 2): boolean {
  if (countMessageFields(start) < fields) return false;
  return !SAVED_PAGE.test(start.toString('latin1', 0, MAX_FIELDS_READ));
}
