import { UidSet } from './uid-set';

describe('UidSet', () => {
  it.each([
    ['1:3,7', '1:3,7', 4],
    ['7,1:3,2:5', '1:5,7', 6],
    ['3:1', '1:3', 3],
    ['1,2,3', '1:3', 3],
    ['', '', 0],
    ['*,0,-1,x,1.5,1e400,5', '5', 1],
    ['1:4294967295', '1:4294967295', 4_294_967_295],
  ])('should read %j', (text, expected, size) => {
    const set = UidSet.parse(text);
    expect([set.toString(), set.size]).toEqual([expected, size]);
  });

  it('should cut and page without expanding the set', () => {
    const set = UidSet.parse('1:4294967295').largest(5).restrictTo(4_294_967_292, Infinity);
    expect([...set.pages(3)]).toEqual([[4_294_967_292, 4_294_967_293, 4_294_967_294], [4_294_967_295]]);
    expect(UidSet.parse('1:3,9').largest(2).toString()).toBe('3,9');
    expect([UidSet.of([5, 1, 1]).first, UidSet.of([5, 1, 1]).last]).toEqual([1, 5]);
    expect(UidSet.of([]).first).toBeUndefined();
  });
});
