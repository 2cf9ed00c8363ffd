import { packIds, unpackIds } from './packed-ids';

describe('packIds', () => {
  it.each([
    ['none', [], 1],
    ['hexadecimal ones', ['1932c5e7d5b7c3a9', '0000000000000000', 'ffffffffffffffff'], 1 + 3 * 8],
    ['short ones', ['fb2f4f7e6a4c9a6', '1932c5e7d5b7c3a9'], 1 + 15 + 1 + 16],
    ['capitals', ['1932C5E7D5B7C3A9'], 1 + 16],
    ['others', ['a:1~2'], 1 + 5],
  ])('should unpack to %s', (_case, ids, bytes) => {
    const packed = packIds(ids);
    expect(packed).toHaveLength(bytes);
    expect(unpackIds(packed)).toEqual(ids);
  });
});
