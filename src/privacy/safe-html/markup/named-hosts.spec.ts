import { otherHost } from './named-hosts';

describe('links whose text names another site', () => {
  it.each([
    ['https://www.paypal.com/signin', 'https://evil.com/signin', 'evil.com'],
    ['paypal.com', 'https://paypal.com.evil.com/', 'paypal.com.evil.com'],
    ['www.paypal.com', 'https://paypal-com.evil.com/', 'paypal-com.evil.com'],
    ['PayPal.com', 'https://evil.com/', 'evil.com'],
    ['Log in at paypal.com/login, please.', 'https://evil.com/', 'evil.com'],
    ['→ paypal.com!', 'https://evil.com/', 'evil.com'],
    ['https://paypal.com@evil.com/', 'https://paypal.com@evil.com/', 'evil.com'],
    ['paypal.com', 'https://paypal.com@evil.com/', 'evil.com'],
    ['paypal.com', 'http://192.0.2.1/paypal.com', '192.0.2.1'],
    ['https://192.0.2.1/', 'https://192.0.2.2/', '192.0.2.2'],
    ['paypal.co.uk', 'https://evil.co.uk/', 'evil.co.uk'],
    ['bank.github.io', 'https://evil.github.io/', 'evil.github.io'],
    ['https://paypal.com/a-path-that-is-too-lo…', 'https://evil.com/', 'evil.com'],
    ['pay\u200bpal.com', 'https://evil.com/', 'evil.com'],
    ['pay\u00adpal。com', 'https://evil.com/', 'evil.com'],
    ['ｐａｙｐａｌ．ｃｏｍ', 'https://evil.com/', 'evil.com'],
    // The first letter is Cyrillic, in the target and then in the text.
    ['apple.com', 'https://аpple.com/', 'xn--pple-43d.com'],
    ['аpple.com', 'https://apple.com/', 'apple.com'],
    ['münchen.de', 'https://munchen.de/', 'munchen.de'],
    [
      'paypal.com',
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.com%2Fpaypal.com&data=1',
      'evil.com',
    ],
  ])('should find that %j does not lead to %j', (text, target, host) => {
    expect(otherHost(text, new URL(target))).toBe(host);
  });

  it.each([
    ['www.paypal.com', 'https://paypal.com/'],
    ['paypal.com', 'https://www.paypal.com/de'],
    ['PAYPAL.COM.', 'https://www.paypal.com/'],
    ['https://paypal.com:443/', 'https://paypal.com/'],
    ['http://paypal.com', 'https://click.mail.paypal.com/r?to=1'],
    ['bbc.co.uk', 'https://news.bbc.co.uk/'],
    ['münchen.de', 'https://www.xn--mnchen-3ya.de/'],
    ['xn--mnchen-3ya.de', 'https://münchen.de/'],
    [
      'https://paypal.com/x',
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpaypal.com%2Fx&data=1',
    ],
    ['paypal.com', 'https://www.google.com/url?q=https://www.paypal.com/&sa=D'],
    ['www.paypa…', 'https://paypal.com/'],
    ['https://www.paypa...', 'https://paypal.com/'],
    ['http://intranet/wiki', 'http://intranet/wiki'],
    ['Read more', 'https://evil.com/'],
    ['Your booking with Booking.com is confirmed', 'https://click.example.com/'],
    ['ada@bank.com', 'https://example.com/ada'],
    ['@ada.bsky.social', 'https://bsky.app/profile/ada'],
    ['README.md', 'https://github.com/a/b'],
    ['src/main.rs', 'https://github.com/a/b'],
    ['Node.js 20.1', 'https://example.com/'],
    ['invoice.pdf', 'https://example.com/'],
    ['v1.2.3 of 1.12.2026, 9.30 a.m.', 'https://example.com/'],
    ['paypal.com', 'mailto:help@example.com'],
    ['', 'https://example.com/'],
  ])('should find nothing wrong with %j that leads to %j', (text, target) => {
    expect(otherHost(text, new URL(target))).toBeNull();
  });
});
