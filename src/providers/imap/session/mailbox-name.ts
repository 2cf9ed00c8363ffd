import iconv from 'iconv-lite';

/** Decodes names of mailboxes, and of Gmail's labels (RFC 3501 §5.1.3). Parts that are not encoded stay as they are. */
export function decodeModifiedUtf7(text: string): string {
  return text.replace(/&([A-Za-z0-9+,]*)-/g, (_all, encoded: string) => {
    if (encoded === '') return '&';
    const bytes = Buffer.from(encoded.replaceAll(',', '/'), 'base64');
    // The bytes are UTF-16 with the high byte first.
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}

/** Encodes the name of a mailbox for IMAP (RFC 3501 §5.1.3). */
export function encodeModifiedUtf7(name: string): string {
  return iconv.encode(name, 'utf-7-imap').toString('latin1');
}
