import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { TaskTimeout } from '../../platform/workers/task-timeout';
import { WorkerPool } from '../../platform/workers/worker-pool';
import type { MailKeys } from '../passphrases/mail-keys';
import type { ContainedPartTask } from './contained-part.task';
import { type LocatedMail, MailContentReader } from './mail-content-reader';

const DECODER = { module: require.resolve('./contained-part.task'), name: 'decodeContainedPart' };
const TIMEOUT_MS = 20_000;
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
    private readonly workers: WorkerPool,
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
      const content = await this.decode(await this.contents.read(mail, keys, { signal }), part.partId);
      if (content?.length !== part.sizeBytes) throw new ResourceNotFound('attachment');
      const piece = Buffer.from(content.buffer, content.byteOffset + start, end + 1 - start);
      return Readable.from([piece], { objectMode: false }).once('close', () => share.release());
    } catch (error) {
      share.release();
      throw error;
    }
  }

  private async decode(bytes: Buffer, partId: string): Promise<Uint8Array | null> {
    // The bytes are copied: transferring a view would transfer everything else in the same allocation.
    const raw = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(raw);
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new TaskTimeout(startedAt, TIMEOUT_MS);
    try {
      return await this.workers.run<ContainedPartTask, Uint8Array | null>(
        DECODER,
        { raw: raw.buffer, partId, startedAt },
        { transfer: [raw.buffer], signal: clock.signal },
      );
    } finally {
      clock.dispose();
    }
  }
}
