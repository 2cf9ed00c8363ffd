import { formatManifest, keyCheckOf, type Manifest, parseManifest } from './manifest';

const MANIFEST = {
  format: 1,
  id: 'x',
  createdAt: '2026-01-01T00:00:00.000Z',
  productVersion: '1.0.0',
  keyCheck: keyCheckOf(Buffer.alloc(32)),
  migrations: ['First1'],
} as unknown as Manifest;

describe('manifest', () => {
  it('should be read as it was written', () => {
    expect(parseManifest(formatManifest(MANIFEST))).toEqual(MANIFEST);
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, -10), 'cannot be read'],
    ['not an object', () => '7', 'cannot be read'],
    ['altered', (text: string) => text.replace('First1', 'First2'), 'has been altered'],
    ['of a later format', (text: string) => text.replace('"format": 1', '"format": 2'), 'A later version'],
  ])('should be refused when it is %s', (_what, change, reason) => {
    expect(() => parseManifest(change(formatManifest(MANIFEST)))).toThrow(reason);
  });

  it('should tell keys apart without revealing them', () => {
    expect(keyCheckOf(Buffer.alloc(32, 1))).not.toBe(keyCheckOf(Buffer.alloc(32)));
    expect(keyCheckOf(Buffer.alloc(32))).toMatch(/^[0-9a-f]{64}$/);
  });
});
