import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text';

describe('the text of a mail', () => {
  it('should have its lines and the targets of links, and nothing invisible', () => {
    const html =
      '<html><head><title>no</title><style>p{}</style></head><body><h1>Hello   Ada</h1><p>One<br>two\n three</p>' +
      '<p><a href="https://bank.example/">my bank</a> <a href="https://a.example/">https://a.example/</a></p>' +
      '<img alt="A coat"></body></html>';
    expect(plainText(html)).toBe(
      'Hello Ada\n\nOne\ntwo three\n\nmy bank <https://bank.example/> https://a.example/\n[A coat]',
    );
  });

  it('should keep the line ends of mail that is text', () => {
    expect(plainText('<div class="mailroom-text">a\n  b\n\n\n\nc</div>')).toBe('a\n  b\n\nc');
  });
});
