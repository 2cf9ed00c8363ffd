import { setImmediate as turn } from 'node:timers/promises';
import { sleep } from './abortable';
import { KeyedQueue } from './keyed-queue';

describe('KeyedQueue', () => {
  let sut: KeyedQueue;
  let begun: string[];
  let end: Record<string, () => void>;

  /** Work that runs until the test ends it by name. */
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => (end[name] = () => resolve(name)));
  };

  beforeEach(() => {
    sut = new KeyedQueue();
    begun = [];
    end = {};
  });

  it('should run the work of a key in order, and that of other keys in parallel', async () => {
    const first = sut.run('a', work('first'));
    const second = sut.run('a', work('second'));
    const other = sut.run('b', work('other'));
    await turn();
    expect(begun).toEqual(['first', 'other']);
    end.first!();
    await expect(first).resolves.toBe('first');
    await turn();
    expect(begun).toEqual(['first', 'other', 'second']);
    end.second!();
    end.other!();
    await expect(Promise.all([second, other])).resolves.toEqual(['second', 'other']);
  });

  it('should continue after work that fails', async () => {
    const failing = sut.run('a', () => Promise.reject(new Error('broken')));
    const next = sut.run('a', () => Promise.resolve('fine'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });

  it('should release a caller that aborts, and keep the order of those behind it', async () => {
    const controller = new AbortController();
    const first = sut.run('a', work('first'));
    const aborted = sut.run('a', work('aborted'), { signal: controller.signal });
    const last = sut.run('a', work('last'));
    controller.abort(new Error('cancelled'));
    await expect(aborted).rejects.toThrow('cancelled');
    await turn();
    expect(begun).toEqual(['first']);
    end.first!();
    await first;
    await turn();
    expect(begun).toEqual(['first', 'last']);
    end.last!();
    await last;
    await expect(sut.run('a', work('never'), { signal: controller.signal })).rejects.toThrow('cancelled');
    expect(begun).toEqual(['first', 'last']);
  });

  it('should proceed without its turn after the maximum wait', async () => {
    const first = sut.run('a', work('first'));
    const impatient = sut.run('a', work('impatient'), { waitMs: 20 });
    await sleep(60);
    expect(begun).toEqual(['first', 'impatient']);
    end.impatient!();
    await impatient;
    const last = sut.run('a', work('last'));
    await turn();
    expect(begun).toEqual(['first', 'impatient']);
    end.first!();
    await first;
    await turn();
    expect(begun).toEqual(['first', 'impatient', 'last']);
    end.last!();
    await last;
  });

  it('should forget keys that are no longer in use', async () => {
    await sut.run('a', () => Promise.resolve());
    await turn();
    expect((sut as unknown as { last: Map<string, unknown> }).last.size).toBe(0);
  });
});
