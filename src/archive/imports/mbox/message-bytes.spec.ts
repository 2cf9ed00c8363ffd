import { messageBytes } from './message-bytes';

describe('messageBytes', () => {
  it.each([
    ['a\n\nb\n', 'a\r\n\r\nb\r\n'],
    ['a\r\n\r\nb\r\n', 'a\r\n\r\nb\r\n'],
    ['a\r\n\nb\rc\n\r\n', 'a\r\n\r\nb\rc\r\n\r\n'],
    ['a\n\n>From b\n>>From c\nx >From d\n', 'a\r\n\r\nFrom b\r\n>From c\r\nx >From d\r\n'],
    ['a\r\n\r\n>From b\r\n>>From c', 'a\r\n\r\nFrom b\r\n>From c'],
    ['>From a\n\n>From b\n', '>From a\r\n\r\nFrom b\r\n'],
  ])('should convert %j', (source, expected) => {
    const bytes = Buffer.from(source, 'latin1');
    const bodyStart = /\r?\n\r?\n/.exec(source)!;
    const sut = messageBytes(bytes, bodyStart.index + bodyStart[0].length, true);
    expect(sut.toString('latin1')).toBe(expected);
  });

  it('should convert line ends wherever a large message is cut', () => {
    for (let shift = 0; shift < 4; shift++) {
      const lines = `${'x'.repeat(shift)}${'\xe4line\r\n\n'.repeat(100_000)}`;
      const sut = messageBytes(Buffer.from(lines, 'latin1'), 0, true);
      expect(sut.toString('latin1') === lines.replace(/\r?\n/g, '\r\n')).toBe(true);
    }
  });

  it('should not return a view', () => {
    const source = Buffer.from('a\r\n');
    const sut = messageBytes(source, 3, true);
    source.fill(0);
    expect(sut.toString()).toBe('a\r\n');
  });
});
