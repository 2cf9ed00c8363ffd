import { parseListUnsubscribe } from './list-unsubscribe';

const WEB = 'https://shop.test/u?k=1';
const MAIL = 'mailto:leave@shop.test';
const POST = 'List-Unsubscribe=One-Click';

const parse = (field: string | null, post: string | null = null) => {
  const { unsubscribeUrl, unsubscribeMailto, oneClick } = parseListUnsubscribe(field, post);
  return [unsubscribeUrl, unsubscribeMailto, oneClick];
};

describe('parseListUnsubscribe', () => {
  describe('the grammar of RFC 2369', () => {
    it.each<[string, string, string | null, string | null]>([
      ['one URL', `<${WEB}>`, WEB, null],
      ['one mailto', `<${MAIL}>`, null, MAIL],
      ['both', `<${MAIL}>, <${WEB}>`, WEB, MAIL],
      ['the first of each kind', `<${WEB}>,<https://b.test/>,<${MAIL}>,<mailto:b@b.test>`, WEB, MAIL],
      ['https before http, whatever the order', `<http://a.test/>, <${WEB}>`, WEB, null],
      ['http when there is nothing better', '<ftp://a.test/>, <http://a.test/u>', 'http://a.test/u', null],
      ['comments', `(leave (the \\) list) here) <${MAIL}> (or) , (there) <${WEB}> (bye)`, WEB, MAIL],
      ['folding', `\r\n <${MAIL}>,\r\n\t<https://shop.test\r\n /u?k=1>`, WEB, MAIL],
      ['doubled brackets', `<<${WEB}>>, <${MAIL}>`, WEB, MAIL],
      ['semicolons', `<${WEB}>; <${MAIL}>`, WEB, MAIL],
      ['an escaped ampersand', '<https://amp.test/u?a=1&amp;b=2>', 'https://amp.test/u?a=1&b=2', null],
      ['white space in brackets', `< https://shop.test /u\t?k=1 >`, WEB, null],
      [
        'commas and brackets in a URL',
        '<https://a.test/u(1,2);x?a=<b>, <mailto:a@b.test>',
        'https://a.test/u(1,2);x?a=%3Cb',
        MAIL.replace('leave@shop', 'a@b'),
      ],
      ['empty items', `, <${WEB}>`, WEB, null],
      ['empty items in between', `<${MAIL}>,,<${WEB}>`, WEB, MAIL],
      ['text behind a URL, which ends the field', `<${WEB}> now, <${MAIL}>`, WEB, null],
      ['an item without brackets, which ends the field', `<${WEB}>, now, <${MAIL}>`, WEB, null],
      [
        'schemes in capitals',
        '<HTTPS://Shop.test/U>, <MAILTO:Leave@Shop.test>',
        'HTTPS://Shop.test/U',
        'mailto:Leave@Shop.test',
      ],
      ['encoded words', '=?utf-8?q?=3Chttps=3A//shop.test/u?= =?utf-8?q?=3Fk=3D1=3E?=', WEB, null],
      ['an encoded word in brackets', `<=?us-ascii?b?${Buffer.from(WEB).toString('base64')}?=>`, WEB, null],
      [
        'letters beyond ASCII',
        '<https://münchen.test/é?ü>',
        'https://xn--mnchen-3ya.test/%C3%A9?%C3%BC',
        null,
      ],
    ])('should understand %s', (_case, field, url, mailto) => {
      expect(parse(field)).toEqual([url, mailto, false]);
    });

    it.each([
      null,
      '',
      ' ',
      '<>',
      '<',
      '>',
      ',',
      '(',
      '(<https://a.test/>)',
      '<nothing>',
      'no',
      'NO <',
      '\\',
    ])('should find nothing in %j', (field) => expect(parse(field, POST)).toEqual([null, null, false]));
  });

  describe('fields that break the grammar', () => {
    it.each<[string, string, string | null, string | null]>([
      ['a bare URL', WEB, WEB, null],
      ['bare ones of both kinds', `${MAIL}, ${WEB}`, WEB, MAIL],
      ['bare ones without a blank between', `${MAIL},${WEB}`, WEB, MAIL],
      ['a URL in prose', `To leave, visit ${WEB}.`, WEB, null],
      ['a bracket that is never closed', `<${WEB}`, WEB, null],
      ['quotes', `"${WEB}"`, WEB, null],
      ['text before the bracket', `Unsubscribe: <${WEB}>`, WEB, null],
      ['a comma in a bare URL', 'https://a.test/1,2', 'https://a.test/1,2', null],
    ])('should still find %s, but trust it less', (_case, field, url, mailto) => {
      expect(parse(field, POST)).toEqual([url, mailto, false]);
    });
  });

  describe('unsafe addresses', () => {
    it.each([
      ['another scheme', 'javascript:alert(1)'],
      ['data', 'data:text/html,x'],
      ['a file', 'file:///etc/passwd'],
      ['no host', 'https:///path'],
      ['no slashes', 'https:shop.test'],
      ['no valid host', 'https://shop test%/'],
      ['a name that looks like a host', 'https://bank.test@evil.test/'],
      ['a backslash for a slash', 'https:\\\\evil.test/'],
      ['a NUL', 'https://shop.test/\0'],
      ['a line break', 'https://shop.test/\r\nX-Injected: 1'],
      ['an encoded line break of an encoded word', '=?utf-8?q?https://shop.test/=0D=0A?='],
      ['too long a URL', `https://shop.test/${'a'.repeat(4_096)}`],
      ['too long a URL once escaped', `https://shop.test/${'é'.repeat(1_000)}`],
      ['a mailto without an address', 'mailto:'],
      ['a mailto of several words', 'mailto:a%20b@shop.test'],
      ['a mailto with a line break', 'mailto:a%0D%0ABcc:b@shop.test'],
      ['a line break in the subject', `${MAIL}?subject=x%0d%0aBcc:b@evil.test`],
      ['a line break in the body', `${MAIL}?body=x%0Ay`],
      ['a broken escape', `${MAIL}?subject=%E0%A4`],
    ])('should refuse %s', (_case, uri) => {
      expect(parse(`<${uri}>`, POST)).toEqual([null, null, false]);
      expect(parse(`<${uri}>, <https://shop.test/other>`)).toEqual(['https://shop.test/other', null, false]);
    });

    it('should ignore a field that is longer than any honest one', () => {
      expect(parse(`<${WEB}>, ${' '.repeat(10_000)}<${MAIL}>`)).toEqual([null, null, false]);
    });
  });

  describe('mailto', () => {
    it.each([
      ['a subject', '?subject=unsubscribe%20x', '?subject=unsubscribe%20x'],
      ['a subject and a body', '?SUBJECT=a&body=b%26c', '?subject=a&body=b%26c'],
      ['a plus, which is not a blank', '?subject=a+b', '?subject=a%2Bb'],
      [
        'copies to others, which are dropped',
        '?cc=a@b.test&subject=x&bcc=c@d.test&to=e@f.test',
        '?subject=x',
      ],
      ['attachments, which are dropped', '?attach=/etc/passwd', ''],
      ['a second subject, which is dropped', '?subject=a&subject=b', '?subject=a'],
      ['empty fields', '?subject=&body', ''],
      ['a fragment', '#top', ''],
    ])('should keep the safe parts of %s', (_case, query, kept) => {
      expect(parse(`<${MAIL}${query}>`)).toEqual([null, `${MAIL}${kept}`, false]);
    });

    it.each([
      ['a%2Bb@shop.test', 'a+b@shop.test'],
      ['a=b+c@shop.test', 'a=b+c@shop.test'],
      ['a%3Fcc=x@shop.test', 'a%3Fcc=x@shop.test'],
      ['a@shop.test,b@shop.test', 'a@shop.test'],
      ['%C3%A9@shop.test', '%C3%A9@shop.test'],
    ])('should write the recipient of %s as %s', (given, written) => {
      expect(parse(`<mailto:${given}>`)).toEqual([null, `mailto:${written}`, false]);
    });
  });

  describe('one-click', () => {
    it.each<[string, string, string | null, boolean]>([
      ['the value of RFC 8058', `<${WEB}>`, POST, true],
      ['blanks around it', `<${WEB}>`, ` ${POST}\t`, true],
      ['another case', `<${WEB}>`, 'list-unsubscribe=ONE-CLICK', true],
      ['a mailto beside', `<${MAIL}>, <${WEB}>`, POST, true],
      ['a missing header', `<${WEB}>`, null, false],
      ['another value', `<${WEB}>`, 'List-Unsubscribe=Two-Click', false],
      ['more than the value', `<${WEB}>`, `${POST}, x=y`, false],
      ['blanks inside', `<${WEB}>`, 'List-Unsubscribe = One-Click', false],
      ['http only', '<http://shop.test/u>', POST, false],
      ['a mailto only', `<${MAIL}>`, POST, false],
    ])('should classify %s', (_case, field, post, oneClick) => {
      expect(parseListUnsubscribe(field, post).oneClick).toBe(oneClick);
    });
  });

  it.each(['(', '\\', '<', '>', ',', '=?', '=?utf-8?q?', 'https://', 'mailto:', '.', '%', ' ', '\r\n '])(
    'should take linear time for %j repeated',
    (piece) => {
      const field = piece.repeat(10_000).slice(0, 10_000);
      const started = performance.now();
      for (let round = 0; round < 10; round += 1) {
        parseListUnsubscribe(field, piece.repeat(10_000));
        parseListUnsubscribe(`<https://a.test/${field.slice(20)}`, field);
        parseListUnsubscribe(`x mailto:a@b.test?${field.slice(20)}`, field);
      }
      expect(performance.now() - started).toBeLessThan(500);
    },
  );
});
