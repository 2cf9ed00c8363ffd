import { numberKindOf, shownNumber } from './cell-numbers';

describe('numberKindOf', () => {
  it.each([
    [14, null, 'date'],
    [22, null, 'date'],
    [9, null, 'percentage'],
    [0, null, null],
    [4, null, null],
    [164, 'yyyy\\-mm\\-dd', 'date'],
    [165, 'DD.MM.YYYY', 'date'],
    [166, '[$-407]d. mmmm yyyy;@', 'date'],
    [167, '0.0%', 'percentage'],
    [168, 'General', null],
    [169, '#,##0.00 "days"', null],
    [170, '[Red]0.00', null],
  ] as const)('should know what %i, %s is', (id, code, expected) => {
    expect(numberKindOf(id, code)).toBe(expected);
  });
});

describe('shownNumber', () => {
  it.each([
    [46_126, 'date', false, '2026-04-14'],
    [44_664, 'date', true, '2026-04-14'],
    [46_126.395_833_333_3, 'date', false, '2026-04-14 09:30'],
    [0.75, 'date', false, '18:00'],
    [0.195, 'percentage', false, '19.5%'],
    [0.07, 'percentage', false, '7%'],
    [1_234.5, null, false, '1234.5'],
    [-3, 'date', false, '-3'],
    [1e300, 'date', false, '1e+300'],
    [NaN, 'date', false, 'NaN'],
  ] as const)('should show %d as a %s', (value, kind, is1904, expected) => {
    expect(shownNumber(value, kind, is1904)).toBe(expected);
  });
});
