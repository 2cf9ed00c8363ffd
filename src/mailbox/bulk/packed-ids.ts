const HEX_ID = /^[0-9a-f]{16}$/;
const HEX = 0;
const TEXT = 1;

/**
 * Encodes message ids for the database: 8 bytes each if all of them are 16 hexadecimal digits, as Gmail's are, else as
 * lines of text. No id contains a line break.
 */
export function packIds(ids: readonly string[]): Buffer {
  return ids.every((id) => HEX_ID.test(id))
    ? Buffer.concat([Buffer.of(HEX), Buffer.from(ids.join(''), 'hex')])
    : Buffer.concat([Buffer.of(TEXT), Buffer.from(ids.join('\n'), 'utf8')]);
}

/** Decodes the ids that `packIds` encoded. */
export function unpackIds(packed: Buffer): string[] {
  const content = packed.subarray(1);
  if (packed[0] === TEXT) return content.toString('utf8').split('\n');
  return Array.from({ length: content.length / 8 }, (_, place) =>
    content.toString('hex', place * 8, place * 8 + 8),
  );
}
