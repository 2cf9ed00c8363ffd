import { Injectable, Logger } from '@nestjs/common';
import { runJoined } from '../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import { AppConfig } from '../../platform/config/app-config';
import type { Tracker } from './detection/tracker';

const READER = { module: require.resolve('./read-trackers.task'), name: 'readTrackers' };
/** Time limit of a reading, in milliseconds. Reading is linear, so only a fault in it can take this long. */
const TIMEOUT_MS = 60_000;

/** Scans messages for trackers, on worker threads. */
@Injectable()
export class TrackerReader {
  private readonly logger = new Logger(TrackerReader.name);
  private readonly threads: number;

  constructor(
    private readonly workers: WorkerPool,
    config: AppConfig,
  ) {
    this.threads = config.workers.threads;
  }

  /**
   * The trackers of each message; null for a message that cannot be read.
   * @throws WorkerPoolStopped at shutdown, or the first failure when none of several messages could be read
   */
  async read(messages: readonly Buffer[]): Promise<(readonly Tracker[] | null)[]> {
    const share = Math.ceil(messages.length / this.threads);
    const groups = Array.from({ length: this.threads }, (_, at) =>
      messages.slice(at * share, (at + 1) * share),
    );
    const failures: unknown[] = [];
    const found = await Promise.all(groups.map((group) => this.readGroup(group, failures)));
    // Unreadable messages are rare: when all fail, the reader or the machine is at fault.
    if (messages.length > 1 && found.flat().every((trackers) => trackers === null)) throw failures[0];
    return found.flat();
  }

  private async readGroup(
    group: readonly Buffer[],
    failures: unknown[],
  ): Promise<(readonly Tracker[] | null)[]> {
    if (group.length === 0) return [];
    try {
      return await runJoined<Tracker[]>(this.workers, READER, group, TIMEOUT_MS);
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      if (group.length > 1) return this.readOneByOne(group, failures);
      this.logger.error(error);
      failures.push(error);
      return [null];
    }
  }

  /** Reads each message alone, to find those that fail. */
  private async readOneByOne(
    group: readonly Buffer[],
    failures: unknown[],
  ): Promise<(readonly Tracker[] | null)[]> {
    const found: (readonly Tracker[] | null)[] = [];
    for (const message of group) found.push(...(await this.readGroup([message], failures)));
    return found;
  }
}
