import { findTrackers } from './find-trackers';
import { readPace } from '../../../../test/support/run/pace';
import { MAX_HTML } from './html-references';

const TOKEN = 'x7Rk2pQ9vLm4Zt8B';
/** An image as people write them, in a mail that has text before and after it. */
const middle = (image: string): string => `<html><body><p>Hello</p>${image}<p>Bye</p></body></html>`;
const domains = (html: string): string[] => findTrackers(html).map(({ domain }) => domain);

describe('images that are trackers', () => {
  it.each<[string, string, string]>([
    ['1x1 by attributes', '<img src="https://a.example/open?id=9" width="1" height="1">', 'a.example'],
    ['1x1 without quotes', '<img src=https://a.example/p.gif width=1 height=1>', 'a.example'],
    ['1x1 by style', '<img src="https://a.example/p.gif" style="width:1px;height:1px">', 'a.example'],
    ['1px attributes', '<img src="https://a.example/p.gif" width="1px" height="1px">', 'a.example'],
    ['0x0', '<img src="https://a.example/p.gif" width="0" height="0">', 'a.example'],
    ['2x2 with a token', `<img src="https://a.example/${TOKEN}.gif" width="2" height="2">`, 'a.example'],
    ['0 wide', '<img src="https://a.example/p.gif" width="0">', 'a.example'],
    [
      'style beats attribute',
      '<img src="https://a.example/p.gif" width="600" height="300" style="width:1px!important;height:1px!important">',
      'a.example',
    ],
    [
      'max-height 0',
      '<img src="https://a.example/t?s=1" style="width:0px;max-height:0px;overflow:hidden">',
      'a.example',
    ],
    ['display:none', '<img src="https://a.example/o?id=99" style="display:none">', 'a.example'],
    [
      'display : none !important',
      '<img src="https://a.example/o?id=99" style="DISPLAY : None !important">',
      'a.example',
    ],
    ['visibility:hidden', '<img src="https://a.example/o?id=99" style="visibility:hidden">', 'a.example'],
    ['opacity:0', '<img src="https://a.example/o?id=99" style="opacity:0.0">', 'a.example'],
    ['hidden attribute', '<img src="https://a.example/o?id=99" hidden>', 'a.example'],
    [
      'in a hidden element',
      `<div style="display:none"><img src="https://a.example/o?id=${TOKEN}"></div>`,
      'a.example',
    ],
    [
      'named as a spacer but with a token',
      `<img src="https://a.example/transparent.gif?u=${TOKEN}" width="1" height="1">`,
      'a.example',
    ],
    ['protocol-relative', '<img src="//a.example/p.gif" width="1" height="1">', 'a.example'],
    [
      'white space around and in it',
      '<img src=" \n https://a.exa\nmple/p.gif " width=" 1 " height="1">',
      'a.example',
    ],
    ['entities', '<img src="https&#58;//a.example/p.gif?a=1&amp;b=2" width="&#49;" height="1">', 'a.example'],
    ['upper case', '<IMG SRC="HTTPS://A.EXAMPLE/P.GIF" WIDTH="1" HEIGHT="1">', 'a.example'],
    [
      'a port and a user',
      '<img src="http://user:secret@a.example:8080/p.gif" width="1" height="1">',
      'a.example',
    ],
    [
      'an international host',
      '<img src="https://bücher.example/p.gif" width="1" height="1">',
      'xn--bcher-kva.example',
    ],
    ['a dot at the end', '<img src="https://a.example./p.gif" width="1" height="1">', 'a.example'],
    [
      'platform, any size',
      '<img src="https://x.us1.list-manage.com/track/open.php?u=1&id=2" width="600" height="80">',
      'x.us1.list-manage.com',
    ],
    [
      'platform, no attributes',
      '<img src="https://u1.ct.sendgrid.net/wf/open?upn=abc">',
      'u1.ct.sendgrid.net',
    ],
    ['numbered platform host', '<img src="https://brand.cmail20.com/t/i-o-abc/o.gif">', 'brand.cmail20.com'],
    ['white label', '<img src="https://click.brand.example/wf/open?upn=abc" alt="">', 'click.brand.example'],
    ['white label with token', `<img src="https://links.brand.example/e/o/${TOKEN}">`, 'links.brand.example'],
    [
      'SparkPost under a name of the customer',
      `<img src="https://t.brand.example/q/${TOKEN}~~/AAAA~/x">`,
      't.brand.example',
    ],
    ['endpoint as a background', `<body background="https://a.example/open/${TOKEN}"></body>`, 'a.example'],
    [
      'platform as a background',
      '<table background="https://x.emltrk.com/v2/abc"><tr><td></td></tr></table>',
      'x.emltrk.com',
    ],
    [
      'platform in a style',
      '<div style="background:url(\'https://x.emltrk.com/v2/abc\')"></div>',
      'x.emltrk.com',
    ],
    ['platform in a style sheet', '<style>a{content:url(https://x.eoapxl.com/b)}</style>', 'x.eoapxl.com'],
    [
      'platform in a list of sources',
      '<img srcset="https://x.emltrk.com/v2/abc 2x" src="cid:a">',
      'x.emltrk.com',
    ],
  ])('%s', (_what, image, domain) => {
    expect(findTrackers(middle(image))).toEqual([expect.objectContaining({ type: 'pixel', domain })]);
  });
});

describe('images that are not', () => {
  it.each<[string, string]>([
    ['embedded', '<img src="cid:part1" width="1" height="1">'],
    ['data', '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="1" height="1">'],
    ['relative', '<img src="images/pixel.gif" width="1" height="1">'],
    ['no address', '<img width="1" height="1">'],
    ['broken address', '<img src="https://" width="1" height="1">'],
    ['another scheme', '<img src="file:///c/p.gif" width="1" height="1">'],
    ['spacer', '<img src="https://cdn.example/img/spacer.gif" width="1" height="1">'],
    ['transparent gif', '<img src="https://cdn.example/transparent.gif?v=2" width="1" height="1">'],
    [
      'clear, blank, shim',
      '<img src="https://cdn.example/a/clear.gif" width=1 height=1><img src="https://cdn.example/blank.png" width=1 height=1><img src="https://cdn.example/shim_1.gif" width=1 height=1>',
    ],
    ['named by its size', '<img src="https://cdn.example/1x1.gif" width="1" height="1">'],
    [
      'spacer in a folder with a token',
      `<img src="https://cdn.example/${TOKEN}/spacer.gif" width="1" height="1">`,
    ],
    ['width 1, height 20', '<img src="https://cdn.example/line.gif" width="1" height="20">'],
    ['width 100%', '<img src="https://cdn.example/a.png" width="100%" height="1">'],
    [
      '1 by attribute, stretched by style',
      '<img src="https://cdn.example/a.png" width="1" height="1" style="width:100%;height:auto">',
    ],
    ['max-width', '<img src="https://cdn.example/a.png" style="max-width:1000px">'],
    ['1 in a longer number', '<img src="https://cdn.example/a.png" width="100" height="10">'],
    ['a line', '<img src="https://cdn.example/line.gif" width="600" height="1">'],
    ['one dimension', '<img src="https://cdn.example/a.gif" width="1">'],
    [
      'twin for small screens',
      '<img src="https://cdn.example/hero-mobile.jpg" width="320" height="200" style="display:none">',
    ],
    ['twin without size', '<img src="https://cdn.example/hero-mobile.png" style="display:none">'],
    [
      'twin with a class',
      '<style>@media(max-width:600px){.show{display:block!important}}</style><img class="show" src="https://cdn.example/a7.png" style="display:none">',
    ],
    [
      'twin in an element with a class',
      '<style>@media(max-width:600px){.show{display:block!important}}</style><div class="show" style="display:none"><img src="https://cdn.example/a7.png"></div>',
    ],
    [
      'hidden, with an alternative',
      '<img src="https://cdn.example/a7.png" alt="Our shop" style="display:none">',
    ],
    [
      'content image of a platform',
      '<img src="https://mcusercontent.com/ab/images/x.png" width="1" height="1">',
    ],
    ['logo of a platform', '<img src="https://www.mailchimp.com/release/logo.png" width="200">'],
    [
      'host that only looks like one',
      '<img src="https://list-manage.com.evil.example/track/x.png" width="20" height="20">',
    ],
    ['host in the user name', '<img src="https://list-manage.com@cdn.example/a.png" width="20" height="20">'],
    ['host in the path', '<img src="https://cdn.example/emltrk.com/a.png" width="20" height="20">'],
    ['preheader text', '<div style="display:none;max-height:0">Read our news</div>'],
    [
      'seen again and again',
      '<img src="https://cdn.example/a.gif?v=3" width="1" height="1" alt="-">'.repeat(3),
    ],
    ['in a comment', '<!--[if mso]><img src="https://a.example/p.gif?u=1" width="1" height="1"><![endif]-->'],
    ['in a template', '<template><img src="https://a.example/p.gif?u=1" width="1" height="1"></template>'],
    ['background', `<td background="https://cdn.example/bg/${TOKEN}.png"></td>`],
    ['background of a page that is open', `<td background="https://cdn.example/open/bg.png"></td>`],
    ['font', '<link href="https://fonts.googleapis.com/css2?family=Roboto:wght@400" rel="stylesheet">'],
    ['icon', '<img src="https://cdn.example/facebook.png" width="24" height="24" alt="Facebook">'],
    ['short path of a platform, nothing unique', '<img src="https://cdn.example/q/hero.png" width="600">'],
  ])('%s', (_what, image) => expect(findTrackers(middle(image))).toEqual([]));

  it('should hide nothing after the end tag of a hidden element', () => {
    const html = `<div style="display:none"><div>a</div><img src="https://cdn.example/h.png?id=${TOKEN}"></div><img src="https://cdn.example/b.png">`;
    expect(domains(middle(html))).toEqual(['cdn.example']);
    expect(
      domains(middle('<div style="display:none"><div></div></div><img src="https://cdn.example/b">')),
    ).toEqual([]);
  });
});

describe('listed trackers', () => {
  it('should report each platform once, however many of its hosts and names occur', () => {
    const html = middle(
      '<img src="https://a.list-manage.com/track/open.php?u=1">' +
        '<img src="https://click.brand.example/track/open.php?u=2">' +
        '<img src="https://a.example/p.gif" width="1" height="1"><img src="https://a.example/q.gif" width="1" height="1">' +
        '<img src="https://b.example/q.gif" width="1" height="1">',
    );
    expect(domains(html)).toEqual(['a.list-manage.com', 'a.example', 'b.example']);
  });

  it('should report the address as a browser writes it, without a password, at most 2,048 characters', () => {
    const [tracker] = findTrackers(
      `<img src="http://u:secret@A.example:81/p.gif?${'x'.repeat(5_000)}" width=1 height=1>`,
    );
    expect(tracker).toEqual({
      type: 'pixel',
      domain: 'a.example',
      url: `http://a.example:81/p.gif?${'x'.repeat(2_048 - 26)}`,
    });
  });

  it('should report no more than 100', () => {
    const html = Array.from(
      { length: 300 },
      (_, at) => `<img src="https://h${at}.example/p" width=1 height=1>`,
    );
    expect(findTrackers(html.join(''))).toHaveLength(100);
  });
});

describe('links', () => {
  it('should report each host once, with the parameters of all its links', () => {
    const html = `<a href="https://shop.example/a?utm_source=n&amp;utm_medium=email">a</a>
      <a href="https://shop.example/b?UTM_Campaign=x&utm_source=n&id=3">b</a>
      <area href="//other.example/?fbclid=abc#xtor=EPR-1"><a href="https://shop.example:8443/?mc_eid=1">c</a>
      <a href="mailto:a@b.example?utm_source=x">m</a><a href="/?utm_source=x">r</a><a>n</a>`;
    expect(findTrackers(html)).toEqual([
      { type: 'utm', domain: 'shop.example', params: ['utm_source', 'utm_medium', 'utm_campaign', 'mc_eid'] },
      { type: 'utm', domain: 'other.example', params: ['fbclid', 'xtor'] },
    ]);
  });

  it('should report a redirector that reveals its destination', () => {
    const html = '<a href="https://go.example/c?url=https%3A%2F%2Fshop.example%2F%3Futm_source%3Dn">a</a>';
    expect(findTrackers(html)).toEqual([{ type: 'utm', domain: 'shop.example', params: ['utm_source'] }]);
  });

  it('should report pixels first', () => {
    const html = '<a href="https://s.example/?utm_id=1">a</a><img src="https://x.emltrk.com/a">';
    expect(findTrackers(html).map(({ type }) => type)).toEqual(['pixel', 'utm']);
  });
});

describe('hostile documents', () => {
  const MEGABYTE = 1024 * 1024;
  const filled = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));

  it.each([
    ['<', filled('<')],
    ['nested elements', filled('<div style="display:none">')],
    ['ends of elements that were never opened', filled('<a>') + filled('</b>')],
    ['attributes', `<img ${filled('a=1 ')}>`],
    ['one attribute', `<img src="https://a.example/${filled('a')}" width=1 height=1>`],
    ['entities', `<img src="${filled('&amp;')}">`],
    ['open brackets in a style', `<img style="${filled('(')}" src="https://a.example/p.gif">`],
    ['comments in a style', `<img style="${filled('/*')}" src="https://a.example/p.gif">`],
    ['addresses in a style', `<div style="${filled('url( ')}">`],
    ['parameters', `<a href="https://a.example/?${filled('&')}">`],
    ['unknown parameters', `<a href="https://a.example/?${filled('a=b&')}">`],
    ['images', filled('<img src="https://a.example/x/y/z.gif?a=b" width=1 height=1 style="a:b;c:d">')],
    ['stars of a platform path', filled('<img src="https://a.example/q/q/q/q/q/q/~~/~">')],
    ['links', filled('<a href="https://a.example/?utm_source=a&utm_medium=b">')],
    ['quotes never closed', `<img src="${filled("'")}`],
    ['comment never closed', `<!--${filled('-')}`],
    ['styles never closed', `<style>${filled('.a{')}`],
  ])('%s take no more than a moment', (_what, html) => {
    const started = performance.now();
    findTrackers(html);
    expect(performance.now() - started).toBeLessThan(3_000 * readPace());
  });

  it('should read only the first 2 MiB', () => {
    expect(findTrackers(`${'a'.repeat(MAX_HTML)}<img src="https://x.emltrk.com/a">`)).toEqual([]);
  });
});
