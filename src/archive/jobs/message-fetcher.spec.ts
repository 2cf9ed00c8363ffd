import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { WorkerPool, WorkerPoolStopped } from '../../common/workers/worker-pool';
import type { AppConfig } from '../../config/app-config';
import type { MailboxProvider } from '../../mailbox/providers/mailbox-provider.port';
import { parseForArchive, type ParseTask } from './parse-message.task';
import { MessageFetcher } from './message-fetcher';
import { type HeldMessages, MessageMemory } from './message-memory';

const RAW = Buffer.from('Subject: hello\r\n\r\nbody\r\n');
const MINUTE = 60_000;

type Run = (input: ParseTask, signal: AbortSignal) => Promise<unknown>;

const never: Run = (_input, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('MessageFetcher', () => {
  let held: HeldMessages;
  let memory: MessageMemory;
  const abortion = (): AbortController => new AbortController();

  beforeEach(() => {
    memory = new MessageMemory();
    held = memory.open(abortion().signal);
    jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const fetcher = (run: Run, threads = 2): MessageFetcher => {
    const pool: Pick<WorkerPool, 'run'> = {
      run: <I, O>(_task: object, input: I, options?: { signal?: AbortSignal }) =>
        run(input as ParseTask, options?.signal as AbortSignal) as Promise<O>,
    };
    return new MessageFetcher(pool as WorkerPool, { workers: { threads } } as AppConfig);
  };
  const raw = jest.fn(async (id: string) => ({
    id,
    threadId: 't',
    internalDate: new Date(0),
    labelIds: [],
    snippet: '',
    bytes: RAW,
  }));
  const provider = { raw } as Pick<MailboxProvider, 'raw'> as MailboxProvider;

  it('should count the message twice while it is parsed, then once, and tell the provider its size', async () => {
    let whileParsing = 0;
    const sut = fetcher(async (input) => {
      whileParsing = memory.inUse;
      return parseForArchive(input);
    });
    await held.reserve('m1', 1_000);
    expect(memory.inUse).toBe(2_000);
    const outcome = await sut.fetch(provider, 'm1', {
      signal: abortion().signal,
      expectedBytes: 1_000,
      held,
    });
    expect(outcome).toMatchObject({ kind: 'mail', mail: { parsed: { subject: 'hello', defects: [] } } });
    expect(raw).toHaveBeenLastCalledWith('m1', expect.objectContaining({ expectedBytes: 1_000 }));
    expect([whileParsing, memory.inUse]).toEqual([2 * RAW.length, RAW.length]);
    held.close();
    expect(memory.inUse).toBe(0);
  });

  it('should give a parser that hangs up, but not one that waits for a thread', async () => {
    jest.useFakeTimers();
    const tasks: BigInt64Array[] = [];
    const sut = fetcher((input, signal) => {
      tasks.push(new BigInt64Array(input.startedAt as SharedArrayBuffer));
      return never(input, signal);
    });
    const outcome = sut.fetch(provider, 'm1', { signal: abortion().signal, held });
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(tasks).toHaveLength(1);
    for (const attempt of [1, 2]) {
      expect(tasks).toHaveLength(attempt);
      tasks[attempt - 1]![0] = BigInt(Date.now());
      await jest.advanceTimersByTimeAsync(2 * MINUTE);
    }
    expect(await outcome).toMatchObject({
      kind: 'mail',
      mail: { raw: RAW, parsed: { subject: '', defects: ['the message could not be parsed'] } },
    });
  });

  it('should not take the end of the process for a fault of the parser', async () => {
    const sut = fetcher(() => Promise.reject(new WorkerPoolStopped()));
    const fetch = sut.fetch(provider, 'm1', { signal: abortion().signal, held });
    await expect(fetch).rejects.toBeInstanceOf(WorkerPoolStopped);
  });

  it('should end with the reason of its job, whatever the pool says', async () => {
    const job = abortion();
    const sut = fetcher(() => {
      job.abort(new Error('cancelled'));
      return Promise.reject(new Error('Terminating worker thread'));
    });
    await expect(sut.fetch(provider, 'm1', { signal: job.signal, held })).rejects.toThrow('cancelled');
  });

  it('should leave the queue when its job ends', async () => {
    const job = abortion();
    const sut = fetcher(never);
    const fetch = sut.fetch(provider, 'm1', { signal: job.signal, held });
    setImmediate(() => job.abort(new Error('cancelled')));
    await expect(fetch).rejects.toThrow('cancelled');
  });

  it('should say in the mail what a parser that fails twice could not do', async () => {
    const sut = fetcher(() => Promise.reject(new Error('ERR_WORKER_OUT_OF_MEMORY')));
    const outcome = await sut.fetch(provider, 'm1', { signal: abortion().signal, held });
    expect(outcome).toMatchObject({ mail: { parsed: { defects: ['the message could not be parsed'] } } });
  });

  it('should hand over one message to parse behind each thread, and no more', async () => {
    let running = 0;
    let most = 0;
    const sut = fetcher(async (input) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return parseForArchive(input);
    }, 3);
    const options = { signal: abortion().signal, held };
    setMaxListeners(0, options.signal);
    await Promise.all(Array.from({ length: 20 }, (_, index) => sut.fetch(provider, `m${index}`, options)));
    expect(most).toBe(6);
  });
});
