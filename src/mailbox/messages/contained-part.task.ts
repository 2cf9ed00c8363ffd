import { type ContainedPart, readContainedPart } from '../../platform/mime/contained-parts';

export interface ContainedPartTask {
  /** The raw message. */
  readonly raw: ArrayBuffer;
  readonly partId: string;
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970: waiting for a thread is not work. */
  readonly startedAt: SharedArrayBuffer;
}

/** Worker-thread entry: decodes a part that is contained in a wrapping; null when the message has none of that number. */
export function decodeContainedPart({ raw, partId, startedAt }: ContainedPartTask): ContainedPart | null {
  Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  const part = readContainedPart(Buffer.from(raw), partId);
  // A view would take everything else in its allocation along.
  return part && { ...part, bytes: new Uint8Array(part.bytes) };
}
