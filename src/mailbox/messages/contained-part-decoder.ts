import { Injectable } from '@nestjs/common';
import { TaskTimeout } from '../../platform/workers/task-timeout';
import type { ContainedPart } from '../../platform/mime/contained-parts';
import { WorkerPool } from '../../platform/workers/worker-pool';
import type { ContainedPartTask } from './contained-part.task';

const DECODER = { module: require.resolve('./contained-part.task'), name: 'decodeContainedPart' };
const TIMEOUT_MS = 20_000;

/** Decodes parts that lie in a wrapping (winmail.dat, signed content, encoded multiparts) in a worker thread. See ADR 108. */
@Injectable()
export class ContainedPartDecoder {
  constructor(private readonly workers: WorkerPool) {}

  /** @returns null when the message has no part of this number */
  async decode(
    message: Buffer,
    partId: string,
  ): Promise<(ContainedPart & { readonly bytes: Buffer }) | null> {
    // The bytes are copied: transferring a view would transfer everything else in the same allocation.
    const raw = Buffer.allocUnsafeSlow(message.length);
    message.copy(raw);
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new TaskTimeout(startedAt, TIMEOUT_MS);
    try {
      const part = await this.workers.run<ContainedPartTask, ContainedPart | null>(
        DECODER,
        { raw: raw.buffer, partId, startedAt },
        { transfer: [raw.buffer], signal: clock.signal },
      );
      if (part === null) return null;
      const { buffer, byteOffset, byteLength } = part.bytes;
      return { ...part, bytes: Buffer.from(buffer, byteOffset, byteLength) };
    } finally {
      clock.dispose();
    }
  }
}
