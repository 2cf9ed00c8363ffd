import { formatSender, senderOf } from './message-columns';

describe('senderOf', () => {
  it.each([
    ['Jane Doe <Jane@Example.COM>', { email: 'jane@example.com', name: 'Jane Doe' }],
    ['"Doe, Jane" <jane@example.com>', { email: 'jane@example.com', name: 'Doe, Jane' }],
    ['jane@example.com', { email: 'jane@example.com', name: '' }],
    ['jane@example.com (Jane)', { email: 'jane@example.com', name: 'Jane' }],
    ['a@example.com, b@example.com', { email: 'a@example.com', name: '' }],
    ['Nobody', { email: '', name: 'Nobody' }],
    ['東京駅 <a@example.jp>', { email: 'a@example.jp', name: '東京駅' }],
    ['"Łukasz, É" <l@example.pl>', { email: 'l@example.pl', name: 'Łukasz, É' }],
    ['Ã© <a@example.com>', { email: 'a@example.com', name: 'Ã©' }],
    ['<>, Jane <jane@example.com>', { email: 'jane@example.com', name: 'Jane' }],
    ['', { email: '', name: '' }],
  ])('should read %j', (from, sender) => {
    expect(senderOf(from)).toEqual(sender);
  });

  it('should limit the length of its result', () => {
    expect(senderOf(`${'a'.repeat(1_000)}@example.com`).email).toHaveLength(320);
  });
});

describe('formatSender', () => {
  it.each([
    [{ name: 'Jane', email: 'jane@example.com' }, 'Jane <jane@example.com>'],
    [{ name: '', email: 'jane@example.com' }, 'jane@example.com'],
    [{ name: 'Jane', email: '' }, 'Jane'],
  ])('should show %j', (sender, text) => {
    expect(formatSender(sender)).toBe(text);
  });
});
