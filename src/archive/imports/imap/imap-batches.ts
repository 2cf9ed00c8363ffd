import type { ImapMessage } from './imported-folder';

const MIB = 1024 * 1024;
/** Size of the largest message that is imported: no mail server takes larger ones, and each is held in memory. */
export const MAX_MESSAGE = 150 * MIB;
/** Size of the largest message that shares a batch: larger ones are read piece by piece, each in a separate batch. */
export const SMALL = 4 * MIB;
const BATCH = { maxCount: 200, maxBytes: 8 * MIB };

/** Messages that are imported together. */
export interface ImapBatch {
  /** All UIDs that the batch covers, including messages that the server no longer has; at least one. */
  readonly uids: readonly number[];
  readonly messages: readonly ImapMessage[];
}

/** Splits messages into batches: large ones alone, small ones together. @param uids ascending; some may have no message */
export function* imapBatches(
  uids: readonly number[],
  messages: readonly ImapMessage[],
): Generator<ImapBatch, void, undefined> {
  const described = new Map(messages.map((message) => [message.uid, message]));
  let batch: { uids: number[]; messages: ImapMessage[] } = { uids: [], messages: [] };
  let bytes = 0;
  for (const uid of uids) {
    const message = described.get(uid);
    const size = message?.size ?? 0;
    const isFull = batch.messages.length === BATCH.maxCount || bytes + size > BATCH.maxBytes;
    if (batch.messages.length > 0 && message && (isFull || size > SMALL)) {
      yield batch;
      [batch, bytes] = [{ uids: [], messages: [] }, 0];
    }
    batch.uids.push(uid);
    if (!message) continue;
    batch.messages.push(message);
    bytes += size;
    if (size > SMALL) {
      yield batch;
      [batch, bytes] = [{ uids: [], messages: [] }, 0];
    }
  }
  if (batch.uids.length > 0) yield batch;
}
