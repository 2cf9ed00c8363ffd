import type { JoinedBuffers } from '../../../platform/workers/joined-buffers';
import type { WorkerPool } from '../../../platform/workers/worker-pool';
import type { AppConfig } from '../../../platform/config/app-config';
import { ProviderRateLimited } from '../../../providers/port/mail-provider.errors';
import type { MailboxProvider } from '../../../providers/port/mailbox-provider.port';
import { RawMessageFetcher } from './raw-message-fetcher';
import { MessageBudget } from './message-budget';
import { MessageParser } from './message-parser';
import { parseManyForArchive } from './parse-message.task';

const RAW = Buffer.from('Subject: hello\r\n\r\nbody\r\n');

describe('RawMessageFetcher', () => {
  it('should count a message twice while it is parsed, then once, and tell the provider its size', async () => {
    const memory = new MessageBudget();
    const { signal } = new AbortController();
    const reservation = memory.open('user', signal);
    let whileParsing = 0;
    const pool: Pick<WorkerPool, 'run'> = {
      run: async <I, O>(_task: object, input: I) => {
        whileParsing = memory.inUse;
        return parseManyForArchive(input as JoinedBuffers) as O;
      },
    };
    let whileFetching = 0;
    const raw = jest.fn(async (id: string) => {
      whileFetching = memory.inUse;
      return { id, threadId: 't', internalDate: new Date(0), labelIds: [], snippet: '', bytes: RAW };
    });
    const sut = new RawMessageFetcher(
      new MessageParser(pool as WorkerPool, { workers: { threads: 2 } } as AppConfig),
    );
    const provider = { fetchRaw: raw } as Pick<MailboxProvider, 'fetchRaw'> as MailboxProvider;
    const outcome = await sut.fetch(provider, 'm1', { signal, expectedBytes: 1_000, reservation });
    expect(outcome).toMatchObject({ kind: 'mail', mail: { parsed: { subject: 'hello', defects: [] } } });
    expect(raw).toHaveBeenLastCalledWith('m1', expect.objectContaining({ expectedBytes: 1_000 }));
    expect([whileFetching, whileParsing, memory.inUse]).toEqual([2_000, 2 * RAW.length, RAW.length]);
    reservation.close();
    expect(memory.inUse).toBe(0);
  });

  it('should free the memory for others when the account as a whole cannot be read', async () => {
    const memory = new MessageBudget();
    const { signal } = new AbortController();
    const reservation = memory.open('user', signal);
    const sut = new RawMessageFetcher({} as MessageParser);
    const rest = new ProviderRateLimited(new Date(Date.now() + 300_000));
    const provider = { fetchRaw: () => Promise.reject(rest) } as Pick<
      MailboxProvider,
      'fetchRaw'
    > as MailboxProvider;
    // The sizes are unknown, and there is no room for all messages at once.
    const fetches = Array.from({ length: 12 }, (_, n) =>
      sut.fetch(provider, `m${n}`, { signal, reservation }),
    );
    expect(await Promise.allSettled(fetches)).toEqual(
      fetches.map(() => ({ status: 'rejected', reason: rest })),
    );
    expect(memory.inUse).toBe(0);
  });
});
