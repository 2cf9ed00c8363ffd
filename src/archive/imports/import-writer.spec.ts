import type { MemoryReservation } from '../mails/archiving/message-budget';
import { StagedBatch } from '../mails/writing/staged-batch';
import { type ImportedMessage, ImportWriter, type StagedImport } from './import-writer';

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
    const reservation: Partial<MemoryReservation> = {
      reserve: async () => void (inUse += 1),
      recordFetchedTogether: () => undefined,
      recordParsed: () => undefined,
      close: () => void (inUse = 0),
    };
    const parsed = { messageId: '<a@b>', sha256: 'a', date: null, receivedAt: null };
    const written = { archived: ['<a@b>'], bytes: 7, kept: [], duplicates: [], refused: [] };
    const fakes = [
      { open: () => reservation },
      { parse: () => step('parse', parsed) },
      { assign: () => step('assign', ['thread']), recordArchived: () => step('archived', undefined) },
      {
        stage: () => {
          const batch = new StagedBatch<object, ReadonlyMap<object, string>>({
            commit: (threads) =>
              step(fails === 'commit' ? 'commit' : `commit in ${[...threads.values()].join()}`, written),
            abandon: () => step('abandon', undefined),
          });
          return step('files', batch);
        },
      },
      {},
    ] as unknown as ConstructorParameters<typeof ImportWriter>;
    return { sut: new ImportWriter(...fakes), steps, inUse: () => inUse };
  }

  const stage = (sut: ImportWriter): Promise<StagedImport> =>
    sut.stage(OWNER, [MESSAGE], { userId: 'user', signal });

  it('should write the files of a batch before its conversations are known', async () => {
    const { sut, steps, inUse } = writer();
    const staged = await stage(sut);
    expect([steps, inUse()]).toEqual([['parse', 'files'], 1]);
    expect(await staged.commit({})).toMatchObject({ imported: 1, bytes: 7 });
    expect([steps.slice(2), inUse()]).toEqual([['assign', 'commit in thread', 'archived'], 0]);
  });

  it('should delete the files of an abandoned batch, once', async () => {
    const { sut, steps, inUse } = writer();
    const staged = await stage(sut);
    await staged.abandon();
    await staged.abandon();
    expect([steps, inUse()]).toEqual([['parse', 'files', 'abandon'], 0]);
  });

  it.each([
    ['when no conversation can be found', 'assign', ['assign', 'abandon']],
    ['unless the commit has dealt with them', 'commit', ['assign', 'commit']],
  ] as const)('should release the files %s', async (_when, fails, expected) => {
    const { sut, steps, inUse } = writer(fails);
    const staged = await stage(sut);
    await expect(staged.commit({})).rejects.toThrow(fails);
    expect([steps.slice(2), inUse()]).toEqual([expected, 0]);
  });
});
