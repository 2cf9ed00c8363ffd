import { FailedMessages } from './failed-messages';

const ASKED = Array.from({ length: 50_000 }, (_, position) => `18c2f1a9b3d${position.toString(16)}`);

describe('FailedMessages', () => {
  it('should store ids of a list in one bit each', () => {
    const sut = new FailedMessages(ASKED);
    for (const [position, id] of ASKED.entries()) if (position % 3 === 0) sut.add(id);
    const saved = sut.save();
    expect(JSON.stringify(saved).length).toBeLessThan(10_000);
    const restored = new FailedMessages(ASKED, JSON.parse(JSON.stringify(saved)));
    expect(restored.size).toBe(sut.size);
    expect(ASKED.every((id, position) => restored.has(id) === (position % 3 === 0))).toBe(true);
    expect(restored.save()).toEqual(saved);
  });

  it('should store messages of a query by their ids', () => {
    const sut = new FailedMessages(null);
    sut.add('a');
    const restored = new FailedMessages(null, sut.save());
    expect([restored.size, restored.has('a'), restored.has('b')]).toEqual([1, true, false]);
  });

  it('should save nothing when nothing failed', () => {
    expect(new FailedMessages(ASKED).save()).toEqual({});
    expect(new FailedMessages(ASKED, {}).size).toBe(0);
  });
});
