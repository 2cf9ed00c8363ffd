import { Logger } from '@nestjs/common';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
  ObjectMissing,
} from '../../files/archive-store.errors';
import type { ArchiveStores } from '../../files/archive-store.port';
import type { MessageParser } from '../archiving/message-parser';
import type { ContentMacs } from './content-macs';
import type { DuplicatesRepository, UncomparedMail } from './duplicates.repository';
import { ImportIdentities } from './import-identities';
import type { NewArchivedMail } from './mail-to-archive';

const OWNER = { userId: 'u', accountId: 'a' };
const MAIL = {
  id: 'new',
  contentMac: 'mac',
  mail: { messageId: '<1@x>', parsed: { messageId: '<1@x>', sha256: 'new' } },
} as unknown as NewArchivedMail;
const mailsOf = (storage: string, count: number): UncomparedMail[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `${storage}${n}`,
    header: '<1@x>',
    storage,
    storageKey: `${storage}/${n}`,
    sha256: 'old',
  }));

describe('ImportIdentities', () => {
  let reads: string[];
  let uncompared: UncomparedMail[];
  let answer: (key: string) => Error | null;
  let remembered: string[];
  let sut: ImportIdentities;

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    reads = [];
    remembered = [];
    const read = async (key: string): Promise<Buffer> => {
      reads.push(key);
      await Promise.resolve();
      const error = answer(key);
      if (error) throw error;
      return Buffer.alloc(0);
    };
    const repository: Partial<DuplicatesRepository> = {
      findSameContent: async () => new Map(),
      findSameBytes: async () => new Map(),
      findNamesInUse: async () => new Set(),
      findUncompared: async () => uncompared,
      rememberContent: async (_accountId, { id }) => {
        remembered.push(id);
      },
    };
    sut = new ImportIdentities(
      repository as DuplicatesRepository,
      { of: () => 'mac' } as unknown as ContentMacs,
      { parse: async () => ({ sha256: 'old' }) } as unknown as MessageParser,
      { find: async () => ({ read }) } as unknown as ArchiveStores,
    );
  });

  afterEach(() => jest.restoreAllMocks());

  const compare = (signal: AbortSignal): Promise<unknown> => sut.compare(OWNER, [MAIL], signal);

  it.each([
    ['away', new ArchiveStoreUnavailable('it refuses connections')],
    ['not to be used', new ArchiveStoreRefused('the key is wrong')],
    ['not known', new ArchiveStoreUnknown('x')],
  ])('should skip a store that is %s, and read the others', async (_what, error) => {
    uncompared = [...mailsOf('gone', 50), ...mailsOf('here', 50)];
    answer = (key) => (key.startsWith('gone') ? error : null);
    const { signal } = new AbortController();
    await compare(signal);
    // Reads that are under way at the same time all fail.
    expect(reads.filter((key) => key.startsWith('gone')).length).toBeLessThanOrEqual(5);
    expect(remembered).toHaveLength(50);
    reads = [];
    await compare(signal);
    expect(reads.filter((key) => key.startsWith('gone'))).toEqual([]);
    await compare(new AbortController().signal);
    expect(reads).toContain('gone/0');
  });

  it('should continue with a store that responds, even when its mails are missing', async () => {
    uncompared = mailsOf('here', 50);
    answer = () => new ObjectMissing();
    await compare(new AbortController().signal);
    expect(reads).toHaveLength(50);
  });

  it('should continue with a store that fails occasionally', async () => {
    uncompared = mailsOf('here', 48);
    const failing = new ArchiveStoreUnavailable('it refuses connections');
    answer = (key) => (Number(key.split('/')[1]) % 8 === 0 ? failing : null);
    await compare(new AbortController().signal);
    expect([reads.length, remembered.length]).toEqual([48, 42]);
  });
});
