import { addNames } from './item-reasons';

describe('addNames', () => {
  it('should keep the first names of each reason, shortened', () => {
    const many = Array.from({ length: 40 }, (_, index) => `file ${index}`);
    const kept = addNames({ notMail: ['first'] }, { notMail: many, emptyFile: ['x'.repeat(500)] });
    expect(kept.notMail).toEqual(['first', ...many.slice(0, 24)]);
    expect(kept.emptyFile).toEqual(['x'.repeat(200)]);
    expect(addNames(kept, { notMail: ['later'] }).notMail).toHaveLength(25);
  });
});
