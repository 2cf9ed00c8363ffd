import { toEncryptionStatusResponse } from './encryption.response';

describe('the encrypted percentage', () => {
  it.each([
    [0, 0, 0],
    [0, 3, 0],
    [3, 3, 100],
    [1, 3, 33.33],
    [2, 3, 66.66],
    [29, 100, 29],
    [57, 1_000, 5.7],
    [99_999, 100_000, 99.99],
    [199_999, 200_000, 99.99],
  ])('should be, with %i of %i encrypted, %d', (encrypted, total, percentage) => {
    const sut = toEncryptionStatusResponse({ total, encrypted, isConfigured: true });
    expect(sut).toEqual({
      total,
      encrypted,
      unencrypted: total - encrypted,
      percentage,
      hasEncryptionKey: true,
    });
  });
});
