import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { JoinedBuffers } from '../../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../../platform/workers/worker-pool';
import type { AppConfig } from '../../../platform/config/app-config';
import { MessageParser } from './message-parser';
import { type ArchiveParse, parseManyForArchive } from './parse-message.task';

const RAW = Buffer.from('Subject: hello\r\n\r\nbody\r\n');
const MINUTE = 60_000;
const UNPARSED = { subject: '', sizeBytes: RAW.length, defects: ['the message could not be parsed'] };

type Run = (input: JoinedBuffers, signal: AbortSignal) => Promise<unknown>;

const never: Run = (_input, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('MessageParser', () => {
  const abortion = (): AbortController => new AbortController();

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const parser = (run: Run, threads = 2): MessageParser => {
    const pool: Pick<WorkerPool, 'run'> = {
      run: <I, O>(_task: object, input: I, options?: { signal?: AbortSignal }) =>
        run(input as JoinedBuffers, options?.signal as AbortSignal) as Promise<O>,
    };
    return new MessageParser(pool as WorkerPool, { workers: { threads } } as AppConfig);
  };

  it('should give up on a hanging parser, but not on one that waits for a thread', async () => {
    jest.useFakeTimers();
    const tasks: BigInt64Array[] = [];
    const sut = parser((input, signal) => {
      tasks.push(new BigInt64Array(input.startedAt));
      return never(input, signal);
    });
    const parsed = sut.parse(RAW, abortion().signal);
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(tasks).toHaveLength(1);
    for (const attempt of [1, 2]) {
      expect(tasks).toHaveLength(attempt);
      tasks[attempt - 1]![0] = BigInt(Date.now());
      await jest.advanceTimersByTimeAsync(2 * MINUTE);
    }
    expect(await parsed).toMatchObject(UNPARSED);
  });

  it('should not mistake the end of the process for a failure of the parser', async () => {
    const sut = parser(() => Promise.reject(new WorkerPoolStopped()));
    await expect(sut.parse(RAW, abortion().signal)).rejects.toBeInstanceOf(WorkerPoolStopped);
  });

  it('should end with the reason of its job, whatever the pool reports', async () => {
    const job = abortion();
    const sut = parser(() => {
      job.abort(new Error('cancelled'));
      return Promise.reject(new Error('Terminating worker thread'));
    });
    await expect(sut.parse(RAW, job.signal)).rejects.toThrow('cancelled');
  });

  it('should leave the queue when its job ends', async () => {
    const job = abortion();
    const sut = parser(never);
    const parsed = sut.parse(RAW, job.signal);
    setImmediate(() => job.abort(new Error('cancelled')));
    await expect(parsed).rejects.toThrow('cancelled');
  });

  it('should name the defect in the mail when the parser fails twice', async () => {
    const sut = parser(() => Promise.reject(new Error('ERR_WORKER_OUT_OF_MEMORY')));
    expect(await sut.parse(RAW, abortion().signal)).toMatchObject(UNPARSED);
  });

  it('should queue one message behind each thread, and no more', async () => {
    let running = 0;
    let most = 0;
    const sut = parser(async (input) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return parseManyForArchive(input);
    }, 3);
    const { signal } = abortion();
    setMaxListeners(0, signal);
    await Promise.all(Array.from({ length: 200 }, () => sut.parse(RAW, signal)));
    expect(most).toBe(6);
  });

  const numbered = (count: number, size: number): Buffer[] =>
    Array.from({ length: count }, (_, number) =>
      Buffer.concat([Buffer.from(`Subject: ${number}\r\n\r\n`), Buffer.alloc(size, 'x')]),
    );
  const parseAll = async (sut: MessageParser, raws: readonly Buffer[]): Promise<ArchiveParse[]> => {
    const { signal } = abortion();
    setMaxListeners(0, signal);
    return Promise.all(raws.map((raw) => sut.parse(raw, signal)));
  };

  it('should send small messages together, large ones alone, and few to all threads', async () => {
    const tasks: number[][] = [];
    const sut = parser(async (input) => {
      tasks.push([...input.lengths]);
      return parseManyForArchive(input);
    });
    for (const [count, size, largest] of [
      [200, 100, 16],
      [40, 200 * 1024, 2],
      [12, 600 * 1024, 1],
      [4, 100, 1],
    ] as const) {
      tasks.length = 0;
      const raws = numbered(count, size);
      const parsed = await parseAll(sut, raws);
      expect(parsed.map(({ subject }) => subject)).toEqual(raws.map((_, number) => `${number}`));
      expect(parsed.map(({ sizeBytes }) => sizeBytes)).toEqual(raws.map(({ length }) => length));
      expect(Math.max(...tasks.map(({ length }) => length))).toBe(largest);
    }
  });

  it('should lose no other message to one that kills its thread', async () => {
    const raws = numbered(40, 10);
    raws[17] = Buffer.from('Subject: poison\r\n\r\n');
    const sut = parser(async (input) => {
      if (Buffer.from(input.bytes).includes('poison')) throw new Error('ERR_WORKER_OUT_OF_MEMORY');
      return parseManyForArchive(input);
    });
    const parsed = await parseAll(sut, raws);
    const defects = parsed.map((each) => each.defects.length);
    expect(defects).toEqual(raws.map((_, number) => (number === 17 ? 1 : 0)));
    expect(parsed[17]).toMatchObject({ subject: '', defects: UNPARSED.defects });
    expect(parsed[16]).toMatchObject({ subject: '16' });
  });

  it('should parse the messages of a job that shares its task with a job that has ended', async () => {
    const [mine, theirs] = [abortion(), abortion()];
    const answers: (() => void)[] = [];
    const sut = parser(async (input) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return parseManyForArchive(input);
    }, 1);
    const pending = [mine, theirs, mine, theirs].map(({ signal }) => sut.parse(RAW, signal));
    const ends = Promise.allSettled(pending);
    await new Promise(setImmediate);
    theirs.abort(new Error('cancelled'));
    expect(answers).toHaveLength(2);
    for (const answer of answers) answer();
    expect((await ends).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
  });
});
