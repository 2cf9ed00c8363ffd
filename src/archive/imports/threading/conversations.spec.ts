import {
  Conversations,
  isImportThread,
  KnownConversations,
  LinkedMessage,
  findConversations,
} from './conversations';

const key = (name: string): string => Buffer.from(name.padEnd(8, '.')).toString('hex');
const message = (
  own: string,
  references: string[] = [],
  currentThread: string | null = null,
): LinkedMessage => ({
  own: key(own),
  references: references.map(key),
  ids: new Map(),
  currentThread,
});
const NOTHING: KnownConversations = {
  threads: new Map(),
  sourceThreads: new Map(),
  bySubject: [],
  pairs: [],
};

/** An archive that takes messages in any batches, as the service does. */
class Archive {
  readonly threads = new Map<string, string>();
  private known = new Map<string, string>();

  constructor(private readonly sourceThreads: ReadonlyMap<string, string> = new Map()) {}

  take(messages: readonly [string, string[]][]): Conversations {
    const knowledge = { ...NOTHING, threads: this.known, sourceThreads: this.sourceThreads };
    const assigned = findConversations(
      messages.map(([own, references]) => message(own, references)),
      knowledge,
    );
    messages.forEach(([own], index) => this.threads.set(own, assigned.threads[index]!));
    const archived = findConversations(
      messages.map(([own, references]) => message(own, references, this.threads.get(own))),
      knowledge,
    );
    for (const [own, thread] of this.threads) this.threads.set(own, archived.moved.get(thread) ?? thread);
    for (const [id, thread] of this.known) this.known.set(id, archived.moved.get(thread) ?? thread);
    for (const [id, thread] of archived.found) this.known.set(id, thread);
    return assigned;
  }
}

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) =>
        permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
      );

describe('findConversations', () => {
  it('should keep unrelated messages apart and siblings of a missing message together', () => {
    const { threads } = findConversations([message('a'), message('b', ['x']), message('c', ['x'])], NOTHING);
    expect(threads.every(isImportThread)).toBe(true);
    expect(threads[0]).not.toBe(threads[1]);
    expect(threads[1]).toBe(threads[2]);
  });

  it.each<[string, [string, string[]][], string[][]]>([
    [
      'a chain',
      [
        ['a', []],
        ['b', ['a']],
        ['c', ['b']],
        ['d', ['c']],
      ],
      [['a', 'b', 'c', 'd']],
    ],
    [
      'References cut off at either end',
      [
        ['a', []],
        ['b', ['a']],
        ['c', ['b', 'x']],
        ['d', ['c']],
      ],
      [['a', 'b', 'c', 'd']],
    ],
    [
      'two branches over a missing one',
      [
        ['b', ['a', 'x']],
        ['c', ['y', 'b']],
        ['d', ['x']],
        ['e', ['z']],
      ],
      [['b', 'c', 'd'], ['e']],
    ],
    [
      'a loop',
      [
        ['a', ['b']],
        ['b', ['a']],
        ['c', ['c']],
        ['d', []],
      ],
      [['a', 'b'], ['c'], ['d']],
    ],
  ])('should find %s in any order, one by one and all at once', (_name, messages, expected) => {
    const partition = (archive: Archive): string[][] => {
      const groups = new Map<string, string[]>();
      for (const [own, thread] of [...archive.threads].sort()) {
        groups.set(thread, [...(groups.get(thread) ?? []), own]);
      }
      return [...groups.values()];
    };
    for (const order of permutations(messages)) {
      for (const batchSize of [1, 2, order.length]) {
        const archive = new Archive();
        for (let start = 0; start < order.length; start += batchSize)
          archive.take(order.slice(start, start + batchSize));
        expect(partition(archive)).toEqual(expected);
      }
    }
  });

  it('should return the same threads when asked again', () => {
    const archive = new Archive();
    const messages: [string, string[]][] = [
      ['b', ['a']],
      ['c', ['b']],
      ['d', []],
    ];
    expect(archive.take(messages).threads).toEqual(archive.take(messages).threads);
    expect(archive.take([['c', ['b']]]).moved.size).toBe(0);
  });

  it('should keep the id of a growing conversation', () => {
    const archive = new Archive();
    archive.take([['m', ['n']]]);
    const name = archive.threads.get('m');
    for (const own of 'zyxwvutsrqponlkjihgfedcba')
      expect(archive.take([[own, ['m', `${own}'`]]]).moved.size).toBe(0);
    expect(new Set(archive.threads.values())).toEqual(new Set([name]));
  });

  it('should prefer the thread of the source, and move mail imported earlier to it', () => {
    const archive = new Archive(new Map([[key('a'), '18c0']]));
    archive.take([['d', ['c']]]);
    archive.take([
      ['b', ['a']],
      ['c', ['b']],
    ]);
    expect([...archive.threads.values()]).toEqual(['18c0', '18c0', '18c0']);
  });

  it('should never change the id of threads of the source, nor join them', () => {
    const archive = new Archive(
      new Map([
        [key('a'), 'source-1'],
        [key('b'), 'source-2'],
      ]),
    );
    archive.take([
      ['c', ['b', 'a']],
      ['d', ['a']],
      ['e', ['b']],
    ]);
    expect(Object.fromEntries(archive.threads)).toEqual({ c: 'source-2', d: 'source-1', e: 'source-2' });
    const { moved, threads } = findConversations([message('f', ['a'], 'source-3')], {
      ...NOTHING,
      sourceThreads: new Map([[key('a'), 'source-1']]),
    });
    expect([threads, moved.size]).toEqual([['source-3'], 0]);
  });

  it('should join by subject, with archived mail and within the batch', () => {
    const { threads, moved } = findConversations([message('a'), message('b'), message('c')], {
      ...NOTHING,
      bySubject: [{ position: 0, threadId: `import-${'f'.repeat(16)}` }],
      pairs: [[1, 2]],
    });
    expect(threads[1]).toBe(threads[2]);
    expect([threads[0], moved.size]).toEqual([`import-${'f'.repeat(16)}`, 0]);
  });

  it('should follow a chain of 100,000 without recursion', () => {
    const messages = Array.from({ length: 100_000 }, (_, n) =>
      message(n.toString(36), n === 0 ? [] : [(n - 1).toString(36)]),
    );
    expect(new Set(findConversations(messages.reverse(), NOTHING).threads).size).toBe(1);
  });
});
