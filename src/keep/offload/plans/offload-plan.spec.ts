import { costsOf } from './offload-plan';

const OLDER = { get: 5, change: 50, history: 2, unitsPerMinute: 15_000 };
const NEWER = { ...OLDER, get: 20, unitsPerMinute: 6_000 };

describe('costsOf', () => {
  it.each([
    [10_000, 10_000, OLDER, { units: 51_120, minutes: 4 }],
    [10_000, 10_000, NEWER, { units: 201_120, minutes: 34 }],
    [10_000, 0, NEWER, { units: 1_120, minutes: 1 }],
    [0, 0, NEWER, { units: 0, minutes: 0 }],
  ])('should be those of %d messages, %d of them compared', (messages, compared, costs, expected) => {
    expect(costsOf(messages, compared, costs)).toEqual(expected);
  });
});
