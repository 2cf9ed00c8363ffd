import { createHash } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { type WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import { ExportThreads } from './export-threads';
import { mboxMails, type MboxSource } from './mbox-mails';

const date = new Date('2024-02-29T00:00:00Z');
const KIB = 1024;

const mails = (count: number, bytes: number): Buffer[] =>
  Array.from({ length: count }, (_, number) =>
    Buffer.alloc(bytes, `Subject: ${number}\r\n\r\nFrom here\r\n`),
  );
const sourcesOf = (content: readonly Buffer[]): MboxSource[] =>
  content.map((mail) => ({
    sender: 'a@b.example',
    date,
    sha256: createHash('sha256').update(mail).digest('hex'),
  }));
const joinedPieces = ({ pieces }: { readonly pieces: readonly Buffer[] }): Buffer => Buffer.concat(pieces);

/** Runs the tasks here, with what they are given cloned and transferred as on the way to a thread. */
class PoolHere {
  readonly tasks: string[] = [];

  async run(
    task: { module: string; name: string },
    input: unknown,
    { transfer }: { transfer: ArrayBuffer[] },
  ): Promise<unknown> {
    this.tasks.push(task.name);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(input, transfer);
    const { message } = receiveMessageOnPort(port2)!;
    port1.close();
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const tasks = require('./export-part.task') as Record<string, (input: unknown) => unknown>;
    const moved = tasks[task.name]!(message) as Record<symbol, unknown>;
    const value = Object.getOwnPropertySymbols(moved).find((symbol) => /value/i.test(String(symbol)));
    return value ? moved[value] : moved;
  }
}

describe('ExportThreads', () => {
  const large = mails(20, 40 * KIB);
  const small = mails(2, KIB);
  let pool: PoolHere;
  let sut: ExportThreads;

  beforeEach(() => {
    pool = new PoolHere();
    sut = new ExportThreads(pool as unknown as WorkerPool);
  });

  it('should write the same mbox in a worker thread as in the main thread', async () => {
    const part = await sut.mbox(large, sourcesOf(large));
    expect(part.pieces).toHaveLength(1);
    expect(joinedPieces(part)).toEqual(joinedPieces(mboxMails(large, sourcesOf(large))));
    expect(part.altered).toBeNull();
    expect(pool.tasks).toEqual(['mboxPart']);
  });

  it('should end an mbox before a mail that is altered', async () => {
    const sources = sourcesOf(large).map((source, at) =>
      at === 7 ? { ...source, sha256: 'f'.repeat(64) } : source,
    );
    const part = await sut.mbox(large, sources);
    expect(part.altered).toBe(7);
    expect(joinedPieces(part)).toEqual(joinedPieces(mboxMails(large.slice(0, 7), sources)));
  });

  it('should write a small mbox without waiting for a thread', async () => {
    expect((await sut.mbox(small, sourcesOf(small))).altered).toBeNull();
    expect(pool.tasks).toEqual([]);
  });

  it('should finish started parts when the threads end', async () => {
    pool.run = () => Promise.reject(new WorkerPoolStopped());
    expect(joinedPieces(await sut.mbox(large, sourcesOf(large)))).toEqual(
      joinedPieces(mboxMails(large, sourcesOf(large))),
    );
  });

  it('should fail with the error of a task', async () => {
    pool.run = () => Promise.reject(new Error('out of memory'));
    await expect(sut.mbox(large, sourcesOf(large))).rejects.toThrow('out of memory');
  });
});
