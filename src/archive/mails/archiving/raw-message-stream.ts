import type { DomainError } from '../../../platform/http/domain-error';
import { groupInBatches, mapConcurrently } from '../../../platform/concurrency/map-concurrently';

const MIB = 1024 * 1024;
/** Limits of a batch: messages, bytes, and the time for which the first message waits for others. */
const BATCH = { maxCount: 200, maxWeight: 8 * MIB, maxDelayMs: 500 };
/** Messages read ahead while a batch is being processed. */
const AHEAD = { maxWaiting: 200, maxWaitingWeight: 12 * MIB };

/** The outcome of a read: a message, or the reason why there is none. `later` is worth another attempt. */
type Outcome = { readonly kind: string } | { readonly kind: 'later'; readonly error: DomainError };

export interface RawMessageStreamOptions<T> {
  /** Reads that may be under way; the gateway decides how many of them are calls. */
  readonly concurrency: number;
  /** Unavailable messages in a row that mean that the provider is down. */
  readonly outage: number;
  /** Messages of a batch at most. */
  readonly batchCount?: number;
  /** Bytes that an outcome holds in memory. */
  readonly sizeOf: (outcome: T) => number;
}

/**
 * Reads messages several at a time and yields their outcomes in batches of bounded size, in no particular order. It reads ahead while
 * a batch is being processed.
 * @throws what `read` throws; the error of the last message when too many in a row were unavailable
 */
export function streamRawMessages<Message, T extends Outcome>(
  messages: Iterable<Message>,
  read: (message: Message) => Promise<T>,
  { concurrency, outage, batchCount = BATCH.maxCount, sizeOf }: RawMessageStreamOptions<T>,
): AsyncGenerator<T[], void, undefined> {
  let unavailableInARow = 0;
  const readNext = async (message: Message): Promise<T> => {
    const outcome = await read(message);
    unavailableInARow = outcome.kind === 'later' ? unavailableInARow + 1 : 0;
    if ('error' in outcome && outcome.kind === 'later' && unavailableInARow >= outage) throw outcome.error;
    return outcome;
  };
  const outcomes = mapConcurrently(messages, readNext, { concurrency, ...AHEAD, weigh: sizeOf });
  return groupInBatches(outcomes, { ...BATCH, maxCount: batchCount, weigh: sizeOf });
}
