import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nightly } from '../../../support/nightly';
import { mail, render, rendered } from '../../../support/safe-html/rendered-mail';
import { unsafeContent } from '../../../support/safe-html/unsafe-content';

/** Enough of a document to see how it is written. */
const beginning = (html: string): string => html.slice(0, html.lastIndexOf('>', 200_000) + 1);

describe('rendering large and real mail as safe HTML', () => {
  const SIZE = 150_000;
  /** Several times what the dearest takes; anything quadratic takes far longer. */
  const MAX_CPU_MS = 3_000;
  it.each([
    ['<', '<'.repeat(SIZE)],
    ['nested elements', '<div>'.repeat(SIZE / 5)],
    ['nested and closed', '<b>'.repeat(SIZE / 7) + '</b>'.repeat(SIZE / 7)],
    ['unclosed comments', '<!--'.repeat(SIZE / 4)],
    ['attributes', `<p ${'a=1 '.repeat(SIZE / 4)}>x`],
    ['one attribute', `<p title="${'x'.repeat(SIZE)}">x`],
    ['entities', '&lt'.repeat(SIZE / 3)],
    ['misnested formatting', '<a><table><b>'.repeat(SIZE / 13)],
    ['paragraphs in cells', '<td><p>'.repeat(SIZE / 7)],
    ['style elements', '<style>a{'.repeat(SIZE / 9)],
    ['brackets in CSS', `<style>${'({['.repeat(SIZE / 3)}</style>`],
    ['selectors', `<style>${'a,'.repeat(SIZE / 4)}{color:red}</style>`],
    ['media queries', `<style>${'@media x{'.repeat(SIZE / 20)}</style>`],
    ['CSS comments', `<style>${'/*'.repeat(SIZE / 4)}</style>`],
    ['CSS escapes', `<style>${'\\61 '.repeat(SIZE / 8)}</style>`],
    ['declarations', `<p style="${'a:b;'.repeat(SIZE / 4)}">x`],
    ['backgrounds', `<p style="background:${'url(x),'.repeat(SIZE / 7)}">x`],
    ['images', '<img src=//a>'.repeat(SIZE / 13)],
    ['srcset', `<img srcset="${'//a, '.repeat(SIZE / 5)}">`],
    ['links', '<a href=//a.b?utm_a=1>'.repeat(SIZE / 22)],
  ])('should finish 150 KB of %s in seconds', (_what, html) => {
    const started = process.cpuUsage();
    const safe = render(html);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(MAX_CPU_MS);
    expect(unsafeContent(beginning(safe.html))).toEqual([]);
  });

  it.each([
    ['quotes', '>'.repeat(SIZE)],
    ['quoted lines', '> > > > > > a\nb\n'.repeat(SIZE / 15)],
    ['brackets after an address', `http://a${')'.repeat(SIZE)}`],
    ['addresses', 'http://a.b/(((()))) '.repeat(SIZE / 20)],
  ])('should finish 150 KB of %s in plain text in seconds', (_what, text) => {
    const started = process.cpuUsage();
    const safe = rendered(mail(text, 'text/plain; format=flowed'));
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(MAX_CPU_MS);
    expect(unsafeContent(beginning(safe.html))).toEqual([]);
  });

  it('should report that there is more than it shows', () => {
    const paragraph = `<p>${'x'.repeat(993)}</p>`;
    expect(render(paragraph.repeat(4_000))).toMatchObject({ truncated: false });
    const cut = render(paragraph.repeat(4_800));
    expect(cut.truncated).toBe(true);
    expect(cut.body).toContain('This message is too large to be shown whole.');
  });

  const expectNotMuchMore = (_what: string, body: string, type: string): void => {
    const found = rendered(mail(body, type));
    expect(found.truncated).toBe(true);
    expect(found.html.length).toBeLessThan(10 * 1024 * 1024);
  };
  it.each([
    ['elements', '<p>'.repeat(220_000), 'text/html'],
    ['pieces of text', '<'.repeat(530_000), 'text/html'],
  ])('should not greatly enlarge a message that has only %s', expectNotMuchMore);

  // The same limits, which take long to reach.
  nightly.each([
    ['links', '<a href=//a>x'.repeat(110_000), 'text/html'],
    ['addresses in text', 'www.a\n'.repeat(105_000), 'text/plain'],
    ['quotations', `${'>'.repeat(20)}a\nb\n`.repeat(18_000), 'text/plain'],
  ])('should not greatly enlarge a message that has only %s', expectNotMuchMore);

  it('should drop rules when many parts exceed the limit together', () => {
    const part = `--b\r\nContent-Type: text/html\r\n\r\n<style>${'.a,.b{color:red}'.repeat(300)}</style><p>x`;
    const found = rendered(mail(`${part}\r\n`.repeat(500), 'multipart/mixed; boundary=b'));
    expect(found.truncated).toBe(true);
    expect(found.html.length).toBeLessThan(5 * 1024 * 1024);
  });

  it('should name at most 50 parameters of a host', () => {
    const links = Array.from({ length: 200 }, (_, index) => `<a href="https://a.test/?utm_${index}=1">x</a>`);
    const { trackers } = render(links.join(''));
    expect(trackers).toEqual([{ type: 'utm', domain: 'a.test', params: expect.any(Array) }]);
    expect(trackers[0]).toHaveProperty('params.length', 50);
  });

  const CORPUS = join(__dirname, '../../../../../shared/data/eml');
  (existsSync(CORPUS) ? it : it.skip)('should leave nothing unsafe of real and awkward mail', () => {
    const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.eml'),
    );
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      expect([name, unsafeContent(rendered(readFileSync(join(CORPUS, name))).html)]).toEqual([name, []]);
    }
  });
});
