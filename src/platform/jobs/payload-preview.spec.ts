import { previewOf } from './job-payload';

describe('previewOf', () => {
  it('should cut arrays of more than 100 items and keep the rest', () => {
    const ids = Array.from({ length: 101 }, (_, n) => `id${n}`);
    expect(previewOf({ action: 'trash', ids, few: ['a'] })).toEqual({
      action: 'trash',
      ids: ids.slice(0, 100),
      few: ['a'],
    });
  });

  it.each([[{}], [{ ids: Array(100).fill('a') }], [{ query: 'x'.repeat(1_000) }]])(
    'should be null when nothing is cut',
    (payload) => {
      expect(previewOf(payload)).toBeNull();
    },
  );
});
