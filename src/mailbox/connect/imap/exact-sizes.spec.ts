import type { ImapFlow } from 'imapflow';
import { statesExactSizes } from './exact-sizes';

describe('Whether a server states exact sizes', () => {
  const fetched: string[] = [];
  beforeEach(() => (fetched.length = 0));

  /** @param differences of the stated sizes from the lengths, oldest message first */
  const sizesAreExact = (differences: readonly number[]): Promise<boolean> => {
    const length = 100;
    const client = {
      mailboxOpen: () => ({ exists: differences.length }),
      fetchAll: (range: string) => {
        const [from, to] = range.split(':').map(Number) as [number, number];
        const messages = differences.map((difference, index) => ({
          uid: index + 1,
          size: length + difference,
        }));
        return messages.slice(from - 1, to);
      },
      fetchOne: (uid: string, { source }: { source: { maxLength: number } }) => {
        fetched.push(uid);
        return { source: Buffer.alloc(Math.min(length, source.maxLength)) };
      },
    };
    return statesExactSizes(client as unknown as ImapFlow);
  };

  it.each([
    ['there are no messages', [], true],
    ['all are right', [0, 0, 0, 0, 0], true],
    ['the newest is wrong, and no other', [0, 0, 0, 0, 0, 0, 0, 0, 0, 7], true],
    ['one of two is wrong', [0, -7], true],
    ['the newest three are wrong, and no other of nine', [0, 0, 0, 0, 0, 0, 7, -7, 7], true],
    ['most are wrong', [0, 7, 0, 7, 7, 0, 7, 7, 0, 7], false],
    ['all are wrong', [7, -7, 7], false],
    ['the only one is wrong', [7], false],
  ])('should be determined from the newest messages when %s', async (_case, differences, isExact) => {
    expect(await sizesAreExact(differences)).toBe(isExact);
  });

  it('should be decided by three messages when their sizes are right', async () => {
    await sizesAreExact([0, 0, 0, 0, 0, 0, 0]);
    expect(fetched).toEqual(['7', '6', '5']);
  });

  it('should be decided by nine messages at most', async () => {
    await sizesAreExact(Array.from({ length: 40 }, () => 7));
    expect(fetched).toHaveLength(9);
  });
});
