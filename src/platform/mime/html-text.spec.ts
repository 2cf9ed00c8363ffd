import { htmlToText } from './html-text';

describe('htmlToText', () => {
  it.each([
    ['words of inline elements joined', '<p>un<b>believ</b>able</p>', 'unbelievable'],
    ['blocks and breaks as lines', '<div>a</div><div>b<br>c</div><td>d</td>', 'a\nb\nc\nd'],
    ['entities', 'a &amp; b &eacute; &#8364; &#x1F600;&nbsp;c', 'a & b é € 😀 c'],
    ['white space collapsed', '<p>a\r\n   b\t c</p>', 'a b c'],
    [
      'hidden elements',
      '<head><title>t</title><style>p{}</style></head><script>x()</script><!-- c --><p>seen</p>',
      'seen',
    ],
    ['a script that holds tags', '<script>if (a < b) "<p>no</p>"</script>yes', 'yes'],
    ['markup inside hidden elements', '<template>a<br/>b</template><title/>c', 'c'],
    ['a less-than sign', 'a < b <3', 'a < b <3'],
    ['attributes', '<a href="x" title="no">yes</a>', 'yes'],
    ['unfinished markup', 'a<p', 'a'],
  ])('should handle %s', (_, html, expected) => {
    expect(htmlToText(html, 10_000)).toBe(expected);
  });

  it.each([
    ['cells', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a\tb\n1\t2'],
    ['blocks in cells', '<tr>\n<td><p>a</p></td>\n<td><div>b</div></td>\n</tr><tr><td>c', 'a\tb\nc'],
    ['empty cells', '<tr><td>a<td><td>b', 'a\tb'],
    ['tabs of the text', '<p>a\tb</p>c', 'a b\nc'],
  ])('should keep rows together when asked: %s', (_, html, expected) => {
    expect(htmlToText(html, 10_000, { keepsRows: true })).toBe(expected);
  });

  it('should stop at the limit', () => {
    expect(htmlToText('<p>word</p>'.repeat(100_000), 1_000).length).toBeLessThanOrEqual(1_000);
  });

  it('should tolerate deep nesting and missing end tags', () => {
    const startedAt = performance.now();
    expect(htmlToText('<b>'.repeat(300_000) + 'deep', 1_000)).toBe('deep');
    expect(htmlToText('</x>'.repeat(200_000) + 'odd', 1_000_000)).toBe('odd');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
