import { holdsSample, type SampledMessage } from './same-folder';

const message = (uid: number, size = 1_000 + uid): SampledMessage & { uid: number } => ({
  uid,
  size,
  internalDate: new Date(Date.UTC(2026, 0, uid)),
});
const range = (first: number, last: number): (SampledMessage & { uid: number })[] =>
  Array.from({ length: last - first + 1 }, (_, at) => message(first + at));
const sample = new Map(range(1, 20).map((one) => [one.uid, one]));

describe('holdsSample', () => {
  it('should recognise a folder that still has all its messages, or half of them', () => {
    expect(holdsSample(sample, range(1, 20))).toBe(true);
    expect(holdsSample(sample, range(11, 20))).toBe(true);
    expect(holdsSample(new Map([[7, message(7)]]), [message(7)])).toBe(true);
  });

  it('should not recognise a folder when more than half are gone', () => {
    expect(holdsSample(sample, range(12, 20))).toBe(false);
    expect(holdsSample(sample, [])).toBe(false);
    expect(holdsSample(new Map(), [])).toBe(false);
  });

  it('should treat a folder with a different message under one of the UIDs as another, however many are the same', () => {
    expect(holdsSample(sample, [...range(1, 19), message(20, 5)])).toBe(false);
    const later = { ...message(20), internalDate: new Date(0) };
    expect(holdsSample(sample, [...range(1, 19), later])).toBe(false);
  });

  it('should treat a folder with a message under an unused UID as another', () => {
    const odd = new Map([...sample].filter(([uid]) => uid % 2 === 1));
    expect(holdsSample(odd, range(1, 20))).toBe(false);
  });
});
