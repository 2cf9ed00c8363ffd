import { emlText } from './charset';

describe('emlText', () => {
  it('should read valid UTF-8 as such', () => {
    expect(emlText(Buffer.from('Subject: é€'))).toBe('Subject: é€');
  });

  it('should read anything else as Latin-1, one character per byte', () => {
    expect(emlText(Buffer.from([0x61, 0xe9, 0x80]))).toBe('aé\u0080');
  });
});
