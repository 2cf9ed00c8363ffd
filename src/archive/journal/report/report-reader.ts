import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../../platform/logging/describe-error';
import { runJoined } from '../../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../../platform/workers/worker-pool';
import type { UnwrappedReport } from './journal-report';

const TASK = { module: require.resolve('./unwrap-report.task'), name: 'unwrapReports' };
/** Reading is linear: a report that takes this long has hit a fault. */
const TIMEOUT_MS = 60_000;

/** Unwraps journal reports on worker threads: they may be as large as messages are. */
@Injectable()
export class ReportReader {
  private readonly logger = new Logger(ReportReader.name);

  constructor(private readonly workers: WorkerPool) {}

  /** @returns null when it cannot be unwrapped @throws WorkerPoolStopped */
  async unwrap(raw: Buffer): Promise<UnwrappedReport | null> {
    try {
      const [unwrapped] = await runJoined<UnwrappedReport | null>(this.workers, TASK, [raw], TIMEOUT_MS);
      if (!unwrapped) return null;
      // Between threads a Buffer becomes a Uint8Array.
      const { buffer, byteOffset, length } = unwrapped.message;
      return { ...unwrapped, message: Buffer.from(buffer, byteOffset, length) };
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      // The report itself is archived, and marked.
      this.logger.warn(`A journal report could not be unwrapped: ${describeError(error).message}`);
      return null;
    }
  }
}
