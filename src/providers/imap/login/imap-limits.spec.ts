import { limitsOf, mayHideMessages, transferLimitsOf } from './imap-limits';

const server = (preset: string | null, gmailLabels = false) => ({ preset, gmailLabels });

describe('limits of providers by IMAP', () => {
  it('should know the bytes of a day of Gmail, whatever the name of its server', () => {
    const limits = { receivedBytes: 2_500_000_000, sentBytes: 500_000_000 };
    expect(transferLimitsOf(server('gmail'))).toEqual(limits);
    expect(transferLimitsOf(server(null, true))).toEqual(limits);
    expect(transferLimitsOf(server('yahoo'))).toBeNull();
    expect(transferLimitsOf(server(null))).toBeNull();
  });

  it.each(['yahoo', 'aol'])('should take a folder of 10,000 messages of %s for incomplete', (preset) => {
    expect(mayHideMessages(server(preset), 10_000)).toBe(true);
    expect(mayHideMessages(server(preset), 9_999)).toBe(false);
    expect(mayHideMessages(server('fastmail'), 10_000)).toBe(false);
  });

  it('should have a source and a date for each limit', () => {
    for (const preset of ['gmail', 'yahoo', 'aol']) {
      const { source, readIn } = limitsOf(server(preset))!;
      expect(source).not.toBe('');
      expect(readIn).toMatch(/^\d{4}-\d{2}$/);
    }
  });
});
