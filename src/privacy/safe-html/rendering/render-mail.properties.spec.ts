import { unsafeContent } from '../../../../test/support/safe-html/unsafe-content';
import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../../test/support/properties';
import { remoteUrl } from '../../tracking/detection/remote-url';
import { trackingParameters } from '../../tracking/detection/tracking-parameters';
import { linkTarget, removeParameters } from '../markup/addresses';
import { keepAllowed } from '../markup/allowlist';
import { safeLink } from '../markup/links';
import { RenderFindings } from './render-findings';
import { renderMail } from './render-mail';

allowForExamples();

const ELEMENTS = ['p', 'div', 'a', 'img', 'table', 'tr', 'td', 'b', 'script', 'style', 'svg', 'math', 'template', 'iframe', 'form', 'input', 'textarea', 'title',
  'noscript', 'xmp', 'plaintext', 'select', 'option', 'video', 'object', 'meta', 'base', 'link', 'body', 'html', 'foreignObject', 'mtext', 'x-y', 'annotation-xml']; // prettier-ignore
const ATTRIBUTES = ['href', 'src', 'style', 'class', 'id', 'onclick', 'onerror', 'srcset', 'background', 'title', 'alt', 'width', 'xlink:href', 'action', 'formaction', 'data', 'poster', 'srcdoc', 'http-equiv', 'content', 'target']; // prettier-ignore
const VALUES = ['javascript:alert(1)', 'https://a.example/x.png', '//a.example/x', 'data:text/html,<script>', 'cid:1', 'x:y', '&#106;avascript:x', 'java\tscript:x', 'vbscript:x',
  'background:url(https://a.example/x)', 'expression(alert(1))', 'color:red;position:fixed', '1', '"', "'", '<', '>', '&quot;', '`', 'https://a.example/?utm_source=x&id=1', '@import url(x)', '\\75rl(x)']; // prettier-ignore

const attribute = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...VALUES), fc.constantFrom('"', "'", '', '`'))
  .map(([name, value, quote]) => `${name}=${quote}${value}${quote}`);

/** Markup as a tree, so that elements really are in each other, with the ends of some of them missing. */
const { html } = fc.letrec<{ html: string; element: string; leaf: string }>((tie) => ({
  html: fc
    .array(fc.oneof({ maxDepth: 4, depthSize: 'medium' }, tie('leaf'), tie('element')), { maxLength: 4 })
    .map((all) => all.join('')),
  element: fc
    .tuple(
      fc.constantFrom(...ELEMENTS),
      fc.array(attribute, { maxLength: 3 }),
      tie('html'),
      fc.constantFrom('close', 'open', 'self'),
    )
    .map(([name, attributes, inner, end]) => {
      const start = [name, ...attributes].join(' ');
      if (end === 'self') return `<${start}/>`;
      return `<${start}>${inner}${end === 'close' ? `</${name}>` : ''}`;
    }),
  leaf: fc.oneof(
    fc.constantFrom(
      'text',
      '<!--',
      '-->',
      ']]>',
      '<![CDATA[',
      '&lt;img src=x onerror=y&gt;',
      '</p>',
      '</style>',
      '\0',
      '<?x ?>',
      '<!doctype html>',
    ),
    anyUtf16(8),
  ),
}));

const rendered = (body: string, type = 'text/html'): string =>
  Buffer.from(
    renderMail(Buffer.from(`Content-Type: ${type}; charset=utf-8\r\n\r\n${body}`), 'subject').html,
  ).toString();

const bodyOf = (document: string): string => /<body>(.*)<\/body>/s.exec(document)?.[1] ?? '';

describe('a mail as safe HTML', () => {
  it('should contain nothing that runs or loads, however elements are nested', () => {
    holds(
      250,
      fc.property(html, (source) => {
        expect(unsafeContent(rendered(source))).toEqual([]);
      }),
    );
  });

  it('should not be changed by the final check, nor contain anything else when parsed again', () => {
    holds(
      150,
      fc.property(html, (source) => {
        const body = bodyOf(rendered(source));
        // Images that come with the mail stand in the place of marks only after the gate.
        expect(keepAllowed(body)).toBe(body);
        expect(unsafeContent(rendered(body))).toEqual([]);
      }),
    );
  });

  it('should show any plain text as it was written', () => {
    const entities: Record<string, string> = {
      '&lt;': '<',
      '&gt;': '>',
      '&quot;': '"',
      '&#39;': "'",
      '&amp;': '&',
    };
    holds(
      200,
      fc.property(
        mixtureOf([
          '<script>',
          '</div>',
          '&amp;',
          '"',
          'https://a.example/x',
          ' ',
          '\n',
          '<!--',
          "'",
          'text',
          '`',
        ]),
        (text) => {
          const document = rendered(`x${text.replace(/[\r>]/g, '')}`, 'text/plain');
          expect(unsafeContent(document)).toEqual([]);
          const shown = bodyOf(document)
            .replace(/<[^<>]*>/g, '')
            .replace(/&(?:lt|gt|quot|amp|#39);/g, (entity) => entities[entity] as string);

          const plain = (value: string): string => value.replace(/[\p{Cc}\p{Cs}\ufffd-\uffff\s]/gu, '');
          expect(plain(shown)).toBe(plain(`x${text.replace(/[\r>]/g, '')}`));
        },
      ),
    );
  });
});

describe('addresses in a mail', () => {
  const address = mixtureOf(
    ['https://', 'http:', '//', '\\\\', 'mailto:', 'tel:', 'javascript:', 'data:', 'a.example', '/', '?', '&', ';', '#', '=', 'utm_source', 'UTM_Medium=x', 'mc_eid=1',
      'id=7', '%75tm_term=1', 'gclid=z', '%', '\t', '\n', ' ', '\0', '@', ':', 'é', '..'], // prettier-ignore
    15,
  );
  const findings = (): RenderFindings => new RenderFindings([]);

  it('should lead to the web, a mailbox or a telephone, or nowhere', () => {
    holds(
      500,
      fc.property(fc.oneof(address, anyUtf16()), (href) => {
        const target = linkTarget(href);
        if (target) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(target.protocol);
        const remote = remoteUrl(href);
        if (remote) expect(['http:', 'https:']).toContain(remote.protocol);
      }),
    );
  });

  it('should lose exactly the parameters that track the reader, and lose them for good', () => {
    const pair = fc.constantFrom(
      'utm_source=a',
      'UTM_CAMPAIGN=b',
      'mc_eid=1',
      'gclid=z',
      '%75tm_term=1',
      'id=7',
      'q=a%20b',
      'flag',
      'x=',
      'sig=%2F+~',
      '',
    );
    holds(
      500,
      fc.property(
        fc.array(pair, { maxLength: 6 }),
        fc.array(pair, { maxLength: 3 }),
        fc.constantFrom('&', ';', '&&'),
        (query, hash, joint) => {
          const href = `https://shop.example/a/b%2Fc?${query.join(joint)}#${hash.join('&')}`;
          const link = safeLink(href, '', findings()) as string;
          const url = new URL(link);
          expect(trackingParameters(url)).toEqual([]);
          expect([url.origin, url.pathname]).toEqual(['https://shop.example', '/a/b%2Fc']);
          const isKept = (each: string): boolean => /^(?:id=7|q=|flag|x=|sig=)/.test(each);
          const kept = (text: string): string[] => text.split(/[&;?#]/).filter((each) => each !== '');
          expect(kept(url.search + url.hash)).toEqual([...query, ...hash].filter(isKept));
          expect(safeLink(link, '', findings())).toBe(link);
        },
      ),
    );
  });

  it('should stay unchanged when there is nothing to remove', () => {
    holds(
      300,
      fc.property(address, (href) => {
        const url = linkTarget(href);
        if (!url) return;
        const kept = new URL(removeParameters(url, ['no-such-parameter']));
        expect([kept.host, kept.pathname, kept.search, kept.hash]).toEqual([
          url.host,
          url.pathname,
          url.search,
          url.hash,
        ]);
      }),
    );
  });
});
