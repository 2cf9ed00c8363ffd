import { Injectable, Logger } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import { RemoteImageClient } from './remote-image-client';
import { timeoutSignal } from '../../platform/concurrency/timers';

const MIB = 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * MIB;
/** Most bytes of the remote images of one mail. */
const MAX_TOTAL_BYTES = 10 * MIB;
/** Images of a mail fetched at a time, as many as browsers do. */
const AT_ONCE = 6;
/** Time limit for the images of a mail: people give up on a page without pictures by then. */
const LONGEST_MS = 15_000;
/** Mails whose images are fetched at a time: each holds them in memory several times. */
const MAILS_AT_ONCE = { capacity: 4, perKey: 1 };

/** Fetches the remote images of a mail for the time that it is rendered. See ADR 62. */
@Injectable()
export class RemoteImages {
  private readonly logger = new Logger(RemoteImages.name);
  private readonly mails = new FairSemaphore(MAILS_AT_ONCE);

  constructor(private readonly client: RemoteImageClient) {}

  /**
   * Fetches images and hands them over by their addresses: those that can be had in fifteen seconds, within five MiB each
   * and ten in all. The others are missing.
   * @param userId the user who wants to see them; one mail of a user at a time
   * @throws the signal's reason, what `use` throws
   */
  fetch<Result>(
    userId: string,
    addresses: readonly string[],
    signal: AbortSignal,
    use: (images: ReadonlyMap<string, Uint8Array>) => Promise<Result>,
  ): Promise<Result> {
    return this.mails.run(
      userId,
      async () => {
        const images = await this.fetchAll(userId, addresses, signal);
        signal.throwIfAborted();
        this.logger.log(`Fetched ${images.size} of ${addresses.length} remote images`);
        return use(images);
      },
      signal,
    );
  }

  private async fetchAll(
    userId: string,
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Uint8Array>> {
    const images = new Map<string, Uint8Array>();
    const end = AbortSignal.any([signal, timeoutSignal(LONGEST_MS)]);
    const waiting = [...addresses];
    let left = MAX_TOTAL_BYTES;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
        if (end.aborted) return;
        const bytes = await this.fetchOne(next, userId, Math.min(MAX_IMAGE_BYTES, left), end);
        if (bytes === null || bytes.length > left) continue;
        left -= bytes.length;
        images.set(next, bytes);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return images;
  }

  private async fetchOne(
    address: string,
    userId: string,
    most: number,
    end: AbortSignal,
  ): Promise<Buffer | null> {
    try {
      return await this.client.fetch(address, userId, most, end);
    } catch (error) {
      // The address is not logged, because it may identify the reader.
      this.logger.debug(`A remote image was not fetched: ${reasonOf(error)}`);
      return null;
    }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';
