/** Whether this is `npm run test:all`. */
export const ALL_TIERS = process.env.TEST_TIER === 'all';

const leftOut = Object.assign(() => undefined, { each: () => () => undefined });

/** A test of `npm run test:all` in a spec of `npm test`: in place of `it`. Whole specs of it are `*.nightly-spec.ts`. */
export const nightly = (ALL_TIERS ? it : leftOut) as jest.It;

/** Like `nightly`, for all tests of a block. */
export const describeNightly = (ALL_TIERS ? describe : leftOut) as jest.Describe;
