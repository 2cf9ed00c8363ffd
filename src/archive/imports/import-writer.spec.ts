import type { MemoryReservation } from '../mails/archiving/message-budget';
import type { StagedBatch } from '../mails/writing/archive-writer';
import { type ImportedMessage, ImportWriter, StagedImportBatch } from './import-writer';

const OWNER = { userId: 'user', accountId: 'account' };
const MESSAGE: ImportedMessage = {
  raw: Buffer.from('Message-ID: <a@b>\r\n\r\nhello\r\n'),
  name: 'message at byte 0',
  labelIds: [],
  threadId: null,
  receivedAt: null,
};
const { signal } = new AbortController();

describe('ImportWriter', () => {
  /** @param fails the step that fails */
  function writer(fails?: 'assign' | 'commit'): { sut: ImportWriter; steps: string[]; inUse: () => number } {
    const steps: string[] = [];
    let inUse = 0;
    const step = async <T>(name: string, result: T): Promise<T> => {
      steps.push(name);
      if (name === fails) throw new Error(name);
      return result;
    };
    const held: Partial<MemoryReservation> = {
      reserve: async () => void (inUse += 1),
      recordFetchedTogether: () => undefined,
      recordParsed: () => undefined,
      close: () => void (inUse = 0),
    };
    const parsed = { messageId: '<a@b>', sha256: 'a', date: null };
    const written = { archived: ['<a@b>'], bytes: 7, kept: [], duplicates: [], refused: [] };
    const fakes = [
      { open: () => held },
      { parse: () => step('parse', parsed) },
      { assign: () => step('assign', ['thread']), recordArchived: () => step('archived', undefined) },
      {
        writeFiles: (_owner: object, mails: readonly object[]) => step('files', { mails }),
        commit: (_batch: StagedBatch, threads: ReadonlyMap<object, string>) =>
          step(fails === 'commit' ? 'commit' : `commit in ${[...threads.values()].join()}`, written),
        abandon: () => step('abandon', undefined),
      },
      {},
    ] as unknown as ConstructorParameters<typeof ImportWriter>;
    return { sut: new ImportWriter(...fakes), steps, inUse: () => inUse };
  }

  const prepare = (sut: ImportWriter): Promise<StagedImportBatch> =>
    sut.prepare(OWNER, [MESSAGE], { userId: 'user', signal });

  it('should write the files of a batch before its conversations are known', async () => {
    const { sut, steps, inUse } = writer();
    const prepared = await prepare(sut);
    expect([steps, inUse()]).toEqual([['parse', 'files'], 1]);
    expect(await sut.archivePrepared(OWNER, prepared)).toMatchObject({ imported: 1, bytes: 7 });
    expect([steps.slice(2), inUse()]).toEqual([['assign', 'commit in thread', 'archived'], 0]);
  });

  it('should delete the files of a batch that is not archived, once', async () => {
    const { sut, steps, inUse } = writer();
    const prepared = await prepare(sut);
    await prepared.release();
    await prepared.release();
    expect([steps, inUse()]).toEqual([['parse', 'files', 'abandon'], 0]);
  });

  it.each([
    ['when no conversation can be found', 'assign', ['assign', 'abandon']],
    ['unless the commit has dealt with them', 'commit', ['assign', 'commit']],
  ] as const)('should let the files go %s', async (_when, fails, expected) => {
    const { sut, steps, inUse } = writer(fails);
    const prepared = await prepare(sut);
    await expect(sut.archivePrepared(OWNER, prepared)).rejects.toThrow(fails);
    expect([steps.slice(2), inUse()]).toEqual([expected, 0]);
  });
});
