import { describe, expect, it } from 'vitest';
import { buildPrintPage } from './PrintMail';

const parsed = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

describe('buildPrintPage', () => {
  it('should put the header fields above the whole text', () => {
    const mail = parsed(
      buildPrintPage(
        {
          title: 'Order',
          lines: [
            ['From', 'Shop <a@x.test>'],
            ['Date', 'today'],
          ],
        },
        '<html><head><style>p { color: red }</style></head><body><p>First</p><p>Last</p></body></html>',
      ),
    );
    expect([...mail.body.children].map(({ textContent }) => textContent)).toEqual([
      'OrderFrom Shop <a@x.test>Date today',
      'First',
      'Last',
    ]);
    expect(mail.title).toBe('Order');
    expect(mail.querySelector('style')).not.toBeNull();
  });

  it('should treat header fields as text', () => {
    const mail = parsed(
      buildPrintPage({ title: '<img src=x onerror=alert(1)>', lines: [['From', '<b>x</b>']] }, '<p>Text</p>'),
    );
    expect(mail.querySelectorAll('img, b')).toHaveLength(0);
    expect(mail.querySelector('h1')?.textContent).toBe('<img src=x onerror=alert(1)>');
  });
});
