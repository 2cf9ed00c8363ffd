import { HashingSlots } from './hashing-slots';

/** Work that ends when told to. */
function manualWork() {
  const running: (() => void)[] = [];
  return { running, work: () => new Promise<void>((resolve) => running.push(resolve)) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('HashingSlots', () => {
  it('runs no more at once than there are slots, and the rest in turn', async () => {
    const slots = new HashingSlots(2, 10, () => new Error('too busy'));
    const { running, work } = manualWork();
    const all = [1, 2, 3, 4].map(() => slots.run(work));
    await settled();
    expect(running).toHaveLength(2);
    running[0]!();
    await settled();
    expect(running).toHaveLength(3);
    running[1]!();
    running[2]!();
    await settled();
    running[3]!();
    await Promise.all(all);
  });

  it('refuses at once when too many wait', async () => {
    const slots = new HashingSlots(1, 1, () => new Error('too busy'));
    const { running, work } = manualWork();
    const first = slots.run(work);
    const second = slots.run(work);
    await expect(slots.run(work)).rejects.toThrow('too busy');
    running[0]!();
    await settled();
    running[1]!();
    await Promise.all([first, second]);
  });

  it('gives the slot back when the work fails', async () => {
    const slots = new HashingSlots(1, 0, () => new Error('too busy'));
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run(() => Promise.resolve('fine'))).resolves.toBe('fine');
  });
});
