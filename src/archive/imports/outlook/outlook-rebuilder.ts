import { Injectable, Logger } from '@nestjs/common';
import { runJoined } from '../../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../../platform/workers/worker-pool';
import type { OutlookItem } from './outlook-item';

const MODULE = require.resolve('./rebuild.task');
/** Rebuilding is linear in the size of an item: one that takes this long has hit a fault of a library. */
const TIMEOUT_MS = 60_000;

/** Rebuilds messages of Outlook on worker threads, so that a hostile one can stop neither the service nor its import. */
@Injectable()
export class OutlookRebuilder {
  private readonly logger = new Logger(OutlookRebuilder.name);

  constructor(private readonly workers: WorkerPool) {}

  /** @throws WorkerPoolStopped */
  rebuildMsg(file: Buffer): Promise<OutlookItem> {
    return this.rebuild('rebuildMsgs', file);
  }

  /** @param frames of an item, see `assembleMessage` @throws WorkerPoolStopped */
  rebuildItem(frames: Buffer): Promise<OutlookItem> {
    return this.rebuild('rebuildItems', frames);
  }

  private async rebuild(name: string, bytes: Buffer): Promise<OutlookItem> {
    try {
      const [item] = await runJoined<OutlookItem>(
        this.workers,
        { module: MODULE, name },
        [bytes],
        TIMEOUT_MS,
      );
      if (item?.kind !== 'mail') return item!;
      // Between threads a Buffer becomes a Uint8Array.
      const { buffer, byteOffset, length } = item.message.raw;
      return { ...item, message: { ...item.message, raw: Buffer.from(buffer, byteOffset, length) } };
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      this.logger.warn(`An Outlook item could not be rebuilt: ${(error as Error).message}`);
      return { kind: 'damaged', code: 'outlook-item-unreadable', reason: 'it cannot be understood' };
    }
  }
}
