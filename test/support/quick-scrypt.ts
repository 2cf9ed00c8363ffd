import crypto from 'node:crypto';

const { scrypt } = crypto;

/**
 * Watches calls of scrypt, which do their work at the least cost: the parameters that were asked for are in the calls.
 * `jest.restoreAllMocks` ends it.
 */
export const watchQuickScrypt = (): jest.SpyInstance =>
  jest
    .spyOn(crypto, 'scrypt')
    .mockImplementation((secret, salt, bytes, { r, maxmem }, done) =>
      scrypt(secret, salt, bytes, { N: 2, r, p: 1, maxmem }, done),
    );
