import type { WorkerPool, WorkerTask } from './worker-pool';
import { TaskTimeout } from './task-timeout';

/** Several buffers for one task: the way to a thread and back costs as much as the work on a small one. */
export interface JoinedBuffers {
  /** One directly after the other. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970: waiting for a thread is not work. */
  readonly startedAt: SharedArrayBuffer;
}

/**
 * Runs a task that takes `JoinedBuffers` and answers one value for each. The buffers are copied.
 * @param timeoutMs for all of them, from the moment the thread begins
 * @throws WorkerPoolStopped at shutdown
 */
export async function runJoined<O>(
  workers: WorkerPool,
  task: WorkerTask,
  buffers: readonly Buffer[],
  timeoutMs: number,
): Promise<O[]> {
  const bytes = joinBuffers(buffers);
  const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const clock = new TaskTimeout(startedAt, timeoutMs);
  try {
    const input: JoinedBuffers = { bytes, lengths: buffers.map(({ length }) => length), startedAt };
    return await workers.run<JoinedBuffers, O[]>(task, input, { transfer: [bytes], signal: clock.signal });
  } finally {
    clock.dispose();
  }
}

/** The task's side: starts its clock and calls `work` for each of the buffers, which are views of the one handed over. */
export function mapJoined<O>({ bytes, lengths, startedAt }: JoinedBuffers, work: (buffer: Buffer) => O): O[] {
  Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return work(Buffer.from(bytes, end - length, length));
  });
}

/** A copy to hand over: a view would hand over everything else in the same allocation. */
export function joinBuffers(buffers: readonly Buffer[]): ArrayBuffer {
  const bytes = Buffer.allocUnsafeSlow(buffers.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const buffer of buffers) end += buffer.copy(bytes, end);
  return bytes.buffer;
}
