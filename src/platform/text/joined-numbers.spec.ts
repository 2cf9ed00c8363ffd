import { joinedNumbers } from './joined-numbers';

describe('joinedNumbers', () => {
  it.each<[string, string[]]>([
    ['IBAN DE89 3704 0044 0532 0130 00, please', ['370400440532013000', 'DE89370400440532013000']],
    ['IBAN GB82 WEST 1234 5698 7654 32', ['12345698765432', 'GB82WEST12345698765432']],
    ['DE89370400440532013000', []],
    ['+33 6 12 34 56 78', ['33612345678']],
    ['call (030) 901 820 now', ['030901820']],
    ['+49 (0)30/901820', ['49030901820', '030901820']],
    ['invoice 71450/36214', ['7145036214']],
    ['4111 1111 1111 1111', ['4111111111111111']],
    ['on 2024-03-17 at', ['20240317']],
    ['2024-03-17 71450/36214', ['202403177145036214', '20240317', '7145036214']],
    ['1.50 and 3/4', []],
    ['100 200 300 400 500 600 700 800', []],
    ['v12 3456789x', []],
    ['no number', []],
    ['', []],
  ])('should find in %j the numbers %j', (text, expected) => {
    expect(joinedNumbers(text)).toEqual(expected);
  });

  it('should read a text of five million groups of digits in one pass', () => {
    expect(joinedNumbers(`${'12 '.repeat(21 * 250_000)}x`)).toEqual([]);
  });
});
