import iconv from 'iconv-lite';

/**
 * Text as IMAP names mailboxes and Gmail its labels (RFC 3501 §5.1.3). What is not encoded that way is left as it is.
 */
export function decodeModifiedUtf7(text: string): string {
  return text.replace(/&([A-Za-z0-9+,]*)-/g, (_all, encoded: string) => {
    if (encoded === '') return '&';
    const bytes = Buffer.from(encoded.replaceAll(',', '/'), 'base64');
    // UTF-16, the high byte first.
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}

/** A mailbox name as IMAP sends it (RFC 3501 §5.1.3). */
export function encodeModifiedUtf7(name: string): string {
  return iconv.encode(name, 'utf-7-imap').toString('latin1');
}
