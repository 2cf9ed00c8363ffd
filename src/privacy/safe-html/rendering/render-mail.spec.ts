import { unsafeContent } from '../../../../test/support/safe-html/unsafe-content';
import { mail, render, rendered, type Rendered } from '../../../../test/support/safe-html/rendered-mail';
import { renderMail } from './render-mail';
import {
  CANARY,
  MUTATION_VECTORS,
  PLACING_VECTORS,
  REMOTE_VECTORS,
  SCRIPT_VECTORS,
} from '../../../../test/support/safe-html/vectors';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const ALL_VECTORS = [...SCRIPT_VECTORS, ...MUTATION_VECTORS, ...REMOTE_VECTORS, ...PLACING_VECTORS];

/** A message of HTML and parts with Content-IDs. */
function related(html: string, parts: Readonly<Record<string, Buffer>>): Buffer {
  const encoded = Object.entries(parts).map(
    ([id, bytes]) =>
      `--r\r\nContent-Type: image/png\r\nContent-ID: <${id}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n`,
  );
  return Buffer.from(
    `Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n${html}\r\n${encoded.join('')}--r--\r\n`,
  );
}

describe('rendering a message as safe HTML', () => {
  describe.each([
    ['scripts', SCRIPT_VECTORS],
    ['mutations', MUTATION_VECTORS],
    ['remote content', REMOTE_VECTORS],
    ['placing', PLACING_VECTORS],
  ])('%s', (_kind, vectors) => {
    it.each(vectors)('should leave nothing unsafe in %j', (vector) => {
      const { html } = render(`${vector}<p>after</p>`);
      expect(unsafeContent(html)).toEqual([]);
    });

    it.each(vectors)('should leave nothing unsafe in %j when it is parsed a second time', (vector) => {
      const once = render(vector);
      const twice = render(once.body);
      expect(unsafeContent(twice.html)).toEqual([]);
    });
  });

  it.each([...SCRIPT_VECTORS, ...REMOTE_VECTORS])('should write no address of %j into markup', (vector) => {
    const { html } = render(vector);
    // The rest of broken markup is text, in which an address is only shown.
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => tag.includes(CANARY))).toEqual([]);
    expect(/<style>[^<]*evil/.test(html)).toBe(false);
  });

  it.each([
    '<div style="background:url(https://a.test/x)">x</div>',
    '<style>@import "https://a.test/x";</style>x',
    '<style>@import url(//a.test/x);</style>x',
    '<style>@font-face{src:url(https://a.test/x)}</style>x',
    '<style>a{border-image:url("https://a.test/x")}</style>x',
    '<img src="https://a.test/x" srcset="https://a.test/y 2x">',
    '<img srcset="https://a.test/y 2x">',
    '<link rel=stylesheet href="https://a.test/x">x',
    '<script src="https://a.test/x"></script>x',
    '<iframe src="//a.test/x"></iframe>x',
    '<object data="https://a.test/x">x</object>',
    '<td background="https://a.test/x">x',
    '<input type=image src="https://a.test/x">x',
  ])('should count what %j would load', (html) => {
    expect(render(html)).toMatchObject({ remoteContentBlocked: 1, trackers: [] });
  });

  it('should remove all unsafe content from any mixture of the vectors', () => {
    let seed = 20_261_121;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const glue = [
      '',
      ' ',
      '"',
      "'",
      '>',
      '<',
      '<!--',
      '-->',
      '</',
      '\0',
      '`',
      '=',
      '&',
      '\\',
      '</style>',
      '<svg>',
      '<table>',
      '<p title="',
    ];
    for (let round = 0; round < 600; round++) {
      let html = '';
      for (let piece = 0; piece < 1 + random(6); piece++) {
        const vector = ALL_VECTORS[random(ALL_VECTORS.length)] as string;
        const [from, to] =
          random(2) === 0 ? [0, vector.length] : [random(vector.length), random(vector.length)];
        html += vector.slice(Math.min(from, to), Math.max(from, to)) + (glue[random(glue.length)] as string);
      }
      const { html: safe } = render(html);
      const found = unsafeContent(safe);
      if (found.length > 0) throw new Error(`${found.join('; ')} of ${JSON.stringify(html)}`);
    }
  });

  describe('kept content', () => {
    it.each([
      ['<p>Hello <b>you</b>,<br>&amp; me</p>', '<p>Hello <b>you</b>,<br />&amp; me</p>'],
      [
        '<table><tr><td>1<td>2<tr><td>3</table>',
        '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
      ],
      ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
      ['<p>a<p>b', '<p>a</p><p>b</p>'],
      ['<b>a<i>b</b>c</i>', '<b>a<i>b</i></b>c'],
      [
        '<td><a href="https://a.test/">x</td>',
        '<td><a href="https://a.test/" rel="noopener noreferrer nofollow" target="_blank">x</a></td>',
      ],
      [
        '<div style="COLOR:red; font: bold 12px/1.5 \'Segoe UI\', Arial">x</div>',
        `<div style="color:red;font:bold 12px/1.5 'Segoe UI', Arial">x</div>`,
      ],
      [
        '<div style="padding:calc(1px + 2%);color:rgba(1, 2, 3, .5) !important">x</div>',
        '<div style="padding:calc(1px + 2%);color:rgba(1, 2, 3, .5) !important">x</div>',
      ],
      [
        '<div style="background:#fff url(https://a.test/x) no-repeat">x</div>',
        '<div style="background:#fff no-repeat">x</div>',
      ],
      ['<p class="a b" id=c>x</p>', '<p class="m1-a m1-b" id="m1-c">x</p>'],
      [
        '<font color=red face="Arial">x</font><center>y</center>',
        '<font color="red" face="Arial">x</font><center>y</center>',
      ],
      [
        '<a href="mailto:a@b.test?subject=x">x</a>',
        '<a href="mailto:a@b.test?subject=x" rel="noopener noreferrer nofollow" target="_blank">x</a>',
      ],
      ['<a href="#top" name=x>x</a>', '<a>x</a>'],
      ['<form action="/x"><button>Go</button></form>', 'Go'],
      ['<!--[if mso]>Outlook<![endif]-->x<![if !mso]>y<![endif]>', 'xy'],
      ['<svg><path d="M0 0"><p>x</p>', '<p>x</p>'],
      ['<svg><title>t</title><g><table><tr><td>x</table>', '<table><tr><td>x</td></tr></table>'],
      ['<svg><desc><p>t</p></desc></svg>x', 'x'],
      ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ])('should turn %j into %j', (html, expected) => {
      const { body } = render(html);
      expect(body.replaceAll('&#39;', "'")).toBe(
        `<div class="mailroom-part mailroom-part-1">${expected}</div>`,
      );
    });

    it('should keep rules of style elements, for their own part only', () => {
      const { html } = render(
        '<style>body,td.x > #y{color:red;position:fixed} a:hover{margin:-1px} @media (max-width:600px){.x{width:100%!important}}</style>x',
      );
      expect(html).toContain(
        '.mailroom-part-1 .mailroom-body-1,.mailroom-part-1 td.m1-x > #m1-y{color:red}\n@media (max-width:600px){.mailroom-part-1 .m1-x{width:100% !important}\n}',
      );
    });

    it('should keep the style of the body', () => {
      const { body } = render('<body bgcolor=eeeeee text="#333" class=x style="padding:1px">x</body>');
      expect(body).toContain(
        '<div class="mailroom-body-1 m1-x" style="background-color:#eeeeee;color:#333;padding:1px">x</div>',
      );
    });
  });

  describe('images', () => {
    it('should show those that are embedded in the message', () => {
      const inline = `data:image/png;base64,${PNG.toString('base64')}`;
      const html = `<img src="cid:a@x" alt=A><img src="CID:a%40x"><div style="background:url(cid:a@x)">x</div><img src="${inline}">`;
      const { body, inlineImages, html: whole } = rendered(related(html, { 'a@x': PNG }));
      expect(body.split(inline)).toHaveLength(5);
      expect(inlineImages).toBe(4);
      expect(unsafeContent(whole)).toEqual([]);
    });

    it.each([
      ['png', '89504e470d0a1a0a00000000', 'image/png'],
      ['jpeg', 'ffd8ffe000104a4649460001', 'image/jpeg'],
      ['gif', '4749463839610100010080ff', 'image/gif'],
      ['webp', '524946461a00000057454250', 'image/webp'],
      ['bmp', `424d${'00'.repeat(12)}28000000${'00'.repeat(12)}`, 'image/bmp'],
    ])('should recognise %s by its bytes', (_name, hex, type) => {
      const { body } = rendered(related('<img src="cid:a">', { a: Buffer.from(hex, 'hex') }));
      expect(body).toContain(`src="data:${type};base64,`);
    });

    it('should show a placeholder for anything but raster images', () => {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
      const { body, inlineImages } = rendered(related('<img src="cid:a" alt="A drawing">', { a: svg }));
      expect(body).toContain('<span class="mailroom-image" role="img">A drawing</span>');
      expect(inlineImages).toBe(0);
    });

    it('should show no image above 5 MiB, and at most 15 MiB in total', () => {
      const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
      expect(rendered(related('<img src="cid:a" alt="too large">', { a: large }))).toMatchObject({
        inlineImages: 0,
        truncated: true,
        body: expect.stringContaining('too large'),
      });
      const fitting = Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]);
      const shown = rendered(related('<img src="cid:a">'.repeat(1_000), { a: fitting }));
      expect(shown).toMatchObject({ inlineImages: 3, truncated: true });
    });
  });

  describe('trackers', () => {
    it('should remove them completely and count each platform once', () => {
      const pixel = '<img src="https://x.list-manage.com/track/open.php?u=1&id=2" width=1 height=1 alt="">';
      const { body, trackers, remoteContentBlocked } = render(`<p>x</p>${pixel}${pixel}`);
      expect(trackers).toEqual([
        {
          type: 'pixel',
          domain: 'x.list-manage.com',
          url: 'https://x.list-manage.com/track/open.php?u=1&id=2',
        },
      ]);
      expect(remoteContentBlocked).toBe(0);
      expect(body).toBe('<div class="mailroom-part mailroom-part-1"><p>x</p></div>');
    });

    it.each([
      ['https://a.test/?UTM_Source=x&b=%20+1', 'https://a.test/?b=%20+1'],
      ['https://a.test/?b=1&utm_source=x&c=2', 'https://a.test/?b=1&c=2'],
      ['https://a.test/?utm_source=x', 'https://a.test/'],
      ['https://a.test/#utm_source=x', 'https://a.test/'],
      ['https://a.test/?fbclid=x#part', 'https://a.test/#part'],
      [
        'https://a.test/?u=https%3A%2F%2Fb.test%2F%3Futm_source%3Dx',
        'https://a.test/?u=https%3A%2F%2Fb.test%2F%3Futm_source%3Dx',
      ],
    ])('should turn %s into %s', (link, expected) => {
      expect(render(`<a href="${link}">x</a>`).body).toContain(`href="${expected.replaceAll('&', '&amp;')}"`);
    });
  });

  it.each([
    ['https://a.test/unsubscribe?mkt_tok=1', 'here'],
    ['https://a.test/hs/manage-preferences/all?_hsenc=1', 'here'],
    ['https://a.test/e?mc_eid=1', 'Unsubscribe'],
    ['https://a.test/e?mc_eid=1', '<span>Se d&eacute;sabonner</span>'],
    ['https://a.test/e?mc_eid=1&utm_source=x', 'View this email in your&nbsp;browser'],
    ['https://a.test/e?mc_eid=1', 'Gérer mes préférences'],
  ])('should keep %s unchanged under %j, since it is for this reader', (link, label) => {
    const { body, trackers } = render(`<a href="${link}">${label}</a>`);
    expect(body).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    expect(trackers).toEqual([]);
  });

  it.each([
    ['https://a.test/e?mc_eid=1', 'Buy</a><a>Unsubscribe'],
    ['https://a.test/e?mc_eid=1', 'Shop online'],
    ['https://a.test/subscribe?mc_eid=1', 'Subscribe'],
  ])('should not mistake %s for one of those under %j', (link, label) => {
    const { body, trackers } = render(`<a href="${link}">${label}</a>`);
    expect(body).not.toContain('mc_eid');
    expect(trackers).toHaveLength(1);
  });

  describe('links whose text names another site', () => {
    const note = (html: string): string | null => {
      const { html: whole, body } = render(html);
      expect(unsafeContent(whole)).toEqual([]);
      return /<\/a> <span class="mailroom-leads"[^>]*>([^<]*)<\/span>/.exec(body)?.[1] ?? null;
    };

    it.each([
      '<a href="https://evil.com/">paypal.com</a>',
      '<a href="https://evil.com/">p<b>ay</b>pal&#46;com</a>',
      '<a href="https://evil.com/">pay<span style="display:none">x</span>pal.com</a>',
      '<a href="https://evil.com/"><div>Hello</div>paypal.com<br>now</a>',
      '<a href="https://evil.com/">paypal.com',
      '<table><tr><td><a href="https://evil.com/">paypal.com</td></tr></table>',
      '<a href="https://paypal.com/"><table><td><a href="https://evil.com/">paypal.com</a></table></a>',
    ])('should say after %s where it leads', (html) => {
      expect(note(html)).toBe('leads to evil.com');
    });

    it.each([
      '<a href="https://www.paypal.com/">paypal.com</a>',
      '<a href="https://evil.com/">PayPal</a>',
      '<a href="https://evil.com/"><span style="display:none">paypal.com</span>PayPal</a>',
      '<a href="#top">paypal.com</a>',
      '<a href="https://evil.com/"></a>paypal.com',
    ])('should say nothing after %s', (html) => {
      expect(note(html)).toBeNull();
    });

    it('should say it in the language of the reader, and in plain text', () => {
      const raw = mail('see https://paypal.com@evil.com/x.', 'text/plain');
      const { html } = renderMail(raw, '', { language: 'fr' });
      expect(Buffer.from(html).toString('utf8')).toMatch(
        /@evil\.com\/x<\/a> <span[^>]*>mène à evil\.com<\/span>\./,
      );
    });

    it('should let no rule of the message hide it', () => {
      const { body } = render(
        '<style>span{display:none!important}</style><a href="https://evil.com/">paypal.com</a>',
      );
      expect(body).toContain('style="all:initial!important;');
      expect(body).toContain(';display:inline-block!important;');
    });
  });

  describe('plain text', () => {
    const text = (body: string, parameters = ''): string => {
      const found = rendered(mail(body, `text/plain; charset=utf-8${parameters}`));
      expect(unsafeContent(found.html)).toEqual([]);
      return found.body.replace(/^<div class="mailroom-part mailroom-text">|<\/div>$/g, '');
    };

    it.each([
      ['a\r\n  b\n\nc', '', 'a\n  b\n\nc'],
      ['<script>x</script>', '', '&lt;script&gt;x&lt;/script&gt;'],
      ['a\n> b\n> > c\nd', '', 'a<blockquote>b<blockquote>c</blockquote></blockquote>d'],
      ['a \nb\n-- \nme', '; format=flowed', 'a b\n-- \nme'],
      ['>a \n>b\n> c', '; format=flowed', '<blockquote>a b\nc</blockquote>'],
      ['日 \n本', '; format=flowed; delsp=yes', '日本'],
    ])('should turn %j%s into %j', (body, parameters, expected) => {
      expect(text(body, parameters)).toBe(expected);
    });

    it.each([
      ['see https://a.test/x.', 'https://a.test/x'],
      ['(http://a.test/b_(c))', 'http://a.test/b_(c)'],
      ['www.a.test, and', 'http://www.a.test/'],
      ['<https://a.test/?a=1&b=2>', 'https://a.test/?a=1&amp;b=2'],
    ])('should link %j to %s', (body, target) => {
      expect(text(body)).toContain(`<a href="${target}" rel="noopener noreferrer nofollow" target="_blank">`);
    });
  });

  describe('with remote images', () => {
    const fetched = (html: string, images: Readonly<Record<string, Buffer>>): Rendered => {
      const { html: bytes, ...rest } = renderMail(mail(html), 'subject', {
        fetched: new Map(Object.entries(images)),
      });
      const document = Buffer.from(bytes).toString('utf8');
      return { ...rest, html: document, body: document };
    };

    it('should name those that it would show: each once, as a browser reads them, without trackers', () => {
      const { remoteImages, remoteImagesShown } = render(
        '<img src="//A.test/a b.png#x"><img src="https://a.test/a%20b.png"><img src="\nhttp://b.test/\n">' +
          '<img src="https://list-manage.com/track/open.php?u=1" width=1 height=1><img src="cid:x"><img src="ftp://c.test/">' +
          '<p style="display:none"><img src="https://hidden.test/"></p><img src="https://me:pw@d.test/">' +
          '<iframe src="https://e.test/"></iframe><p style="background:url(https://f.test/)">x',
      );
      expect(remoteImages).toEqual(['https://a.test/a%20b.png', 'http://b.test/']);
      expect(remoteImagesShown).toBe(0);
    });

    it('should name at most 50', () => {
      const many = Array.from({ length: 80 }, (_, index) => `<img src="https://a.test/${index}">`).join('');
      expect(render(many).remoteImages).toHaveLength(50);
    });

    it('should show the given images, and count the others as blocked', () => {
      const { body, ...found } = fetched(
        '<img src="https://a.test/1" alt="One" width=7 onerror=x()><img src="https://a.test/2" alt="Two">' +
          '<img src="https://a.test/3" alt="Three">',
        { 'https://a.test/1': PNG, 'https://a.test/3': Buffer.from('<svg onload="x()">') },
      );
      expect(found).toMatchObject({ remoteImagesShown: 1, remoteContentBlocked: 2, inlineImages: 0 });
      expect(found.remoteImages).toHaveLength(3);
      expect(body).toContain(
        `<img alt="One" width="7" src="data:image/png;base64,${PNG.toString('base64')}"`,
      );
      expect(body).toContain('>Two</span>');
      expect(body).toContain('>Three</span>');
      expect(unsafeContent(found.html)).toEqual([]);
    });

    it('should show at most fifteen MiB', () => {
      const large = Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]);
      const addresses = Array.from({ length: 6 }, (_, index) => `https://a.test/${index}`);
      const found = fetched(
        addresses.map((address) => `<img src="${address}">`).join(''),
        Object.fromEntries(addresses.map((address) => [address, large])),
      );
      expect(found).toMatchObject({ remoteImagesShown: 3, remoteContentBlocked: 3, truncated: true });
    });
  });
});
