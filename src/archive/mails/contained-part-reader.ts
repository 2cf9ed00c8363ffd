import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ContainedPartDecoder } from '../../mailbox/messages/contained-part-decoder';
import type { MailKeys } from '../passphrases/mail-keys';
import { type LocatedMail, MailContentReader } from './mail-content-reader';

const MIB = 1024 * 1024;
/** The file, what its wrapping contains, and the part itself are in memory. */
const COPIES = 3;
/** Memory for mails whose wrappings are opened, of which a user may have half. */
const MEMORY = { capacity: 96 * MIB, perKey: 48 * MIB };

/**
 * Reads attachments that lie in a wrapping (winmail.dat, signed content, encoded multiparts): the mail is read and opened anew
 * for each download, so that no second copy is stored. See ADR 108.
 */
@Injectable()
export class ContainedPartReader {
  private readonly memory = new FairSemaphore(MEMORY);

  constructor(
    private readonly contents: MailContentReader,
    private readonly decoder: ContainedPartDecoder,
  ) {}

  /**
   * Bytes of a part, `start` to `end` (inclusive). They stay in memory until the stream is closed.
   * @throws ResourceNotFound when the mail has no such part of this size; the errors of `MailContentReader.read`
   */
  async open(
    userId: string,
    mail: LocatedMail,
    keys: MailKeys | null,
    part: { readonly partId: string; readonly sizeBytes: number },
    { start, end, signal }: { readonly start: number; readonly end: number; readonly signal: AbortSignal },
  ): Promise<Readable> {
    const share = await this.memory.reserve(userId, COPIES * mail.sizeBytes, signal);
    try {
      const found = await this.decoder.decode(await this.contents.read(mail, keys, { signal }), part.partId);
      if (found?.bytes.length !== part.sizeBytes) throw new ResourceNotFound('attachment');
      const piece = found.bytes.subarray(start, end + 1);
      return Readable.from([piece], { objectMode: false }).once('close', () => share.release());
    } catch (error) {
      share.release();
      throw error;
    }
  }
}
