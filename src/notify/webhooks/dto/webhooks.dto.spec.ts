import { isWebhookUrl } from './webhooks.dto';

describe('isWebhookUrl', () => {
  it.each([
    'https://example.org',
    'http://example.org:8080/a?b=c#d',
    'HTTPS://EXAMPLE.org/',
    'http://localhost:3000/hook',
    'http://[2001:db8::1]/x',
    'http://192.168.1.5/topic',
    'https://münchen.example/pfad',
  ])('should accept %s', (url) => {
    expect(isWebhookUrl(url)).toBe(true);
  });

  it.each([
    '',
    'example.org',
    'ftp://example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:example.org',
    'http:/example.org',
    'http://',
    'https://user@example.org/',
    'https://user:pw@example.org/',
    'https://:pw@example.org/',
    'https://exa mple.org/',
    ' https://example.org/',
    'https://example.org/a\nb',
    'https://example.org/\u0000',
    'https://example.org:99999/',
    'https://256.1.1.1/',
    null,
    7,
    ['https://example.org'],
  ])('should refuse %j', (value) => {
    expect(isWebhookUrl(value)).toBe(false);
  });
});
