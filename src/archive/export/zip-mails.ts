import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { DEFLATED, localHeader, type ZipEntryBytes, type ZipEntryStart } from './zip-format';

/** Compression level of zlib; higher ones cost much time and save little. */
export const DEFLATE_LEVEL = 6;

/** The facts about a mail that is in the ZIP. */
export interface ZippedMail extends ZipEntryBytes {
  /** SHA-256 of the plain bytes, hex. */
  readonly sha256: string;
  /** Bytes that the entry takes in the ZIP, with its header. */
  readonly length: number;
}

/** Some entries of a ZIP. */
export interface ZipPart {
  /** The entries one after another, each with its header. */
  readonly pieces: readonly Buffer[];
  readonly mails: readonly ZippedMail[];
}

/** Hashes mails, deflates them if their entries say so, and puts headers before them. @param entries one for each mail */
export function zipMails(mails: readonly Buffer[], entries: readonly ZipEntryStart[]): ZipPart {
  const pieces: Buffer[] = [];
  const zipped = mails.map((mail, index): ZippedMail => {
    const entry = entries[index]!;
    const body = entry.method === DEFLATED ? deflateRawSync(mail, { level: DEFLATE_LEVEL }) : mail;
    const bytes = { crc: crc32(mail), size: mail.length, compressedSize: body.length };
    const header = localHeader(entry, bytes);
    pieces.push(header, body);
    const sha256 = createHash('sha256').update(mail).digest('hex');
    return { ...bytes, sha256, length: header.length + body.length };
  });
  return { pieces, mails: zipped };
}
