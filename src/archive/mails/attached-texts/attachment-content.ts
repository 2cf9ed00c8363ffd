import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { transferDecoder } from '../../../platform/mime/transfer-decoder';
import { ContainedPartReader } from '../contained-part-reader';
import { MailContentReader } from '../mail-content-reader';
import type { WaitingAttachment } from './attached-texts.repository';

const MIB = 1024 * 1024;
/** Largest attachment whose text is read. */
export const MAX_READ_BYTES = 64 * MIB;

/** The decoded content of an attachment. */
export interface AttachmentContent {
  readonly sha256: Buffer;
  /** Number of decoded bytes. */
  readonly length: number;
  /** Null: it has more than `MAX_READ_BYTES`. */
  readonly bytes: Buffer | null;
}

/** Reads attachments of plain mails from the files of their mails, and hashes them on the way. */
@Injectable()
export class AttachmentContents {
  constructor(
    private readonly contents: MailContentReader,
    private readonly containedParts: ContainedPartReader,
  ) {}

  /** @throws the errors of `MailContentReader.open`, and ResourceNotFound when a wrapping has no such part */
  async read(userId: string, attachment: WaitingAttachment, signal: AbortSignal): Promise<AttachmentContent> {
    const source = await this.open(userId, attachment, signal);
    const hash = createHash('sha256');
    let pieces: Buffer[] = [];
    let length = 0;
    const take = (piece: Buffer): void => {
      hash.update(piece);
      length += piece.length;
      if (length > MAX_READ_BYTES) pieces = [];
      else pieces.push(piece);
    };
    try {
      const decoder = transferDecoder(attachment.isContained ? '' : attachment.encoding);
      for await (const chunk of source) {
        signal.throwIfAborted();
        take(decoder.write(chunk as Buffer));
      }
      take(decoder.end());
    } finally {
      // A source that was not read to its end stays open otherwise.
      source.destroy();
    }
    const bytes = length > MAX_READ_BYTES ? null : Buffer.concat(pieces);
    return { sha256: hash.digest(), length, bytes };
  }

  private async open(userId: string, attachment: WaitingAttachment, signal: AbortSignal): Promise<Readable> {
    const { mail, isContained, bodyStart, bodyEnd, sizeBytes } = attachment;
    // No range of a file is empty.
    if (isContained ? sizeBytes === 0 : bodyEnd <= bodyStart) return Readable.from([]);
    if (isContained) {
      const whole = { start: 0, end: sizeBytes - 1, signal };
      return this.containedParts.open(userId, mail, null, attachment, whole);
    }
    return this.contents.open(mail, null, { start: bodyStart, end: bodyEnd - 1 }, { signal });
  }
}
