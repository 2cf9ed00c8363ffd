import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { isMailAddress, parseListUnsubscribe } from './list-unsubscribe';

allowForExamples();

const field = fc.oneof(
  mixtureOf(
    ['<', '>', ',', '(', ')', '\\', 'https://', 'http://', 'mailto:', 'javascript:', 'a.example/u?i=1', 'me@a.example', '?subject=', '&cc=x@y.z', '&body=',
      '%0d%0aBcc:', '%00', '%', '@', '//', '=?utf-8?q?', '=3Chttps=3A//a.example/=3E', '?=', '\r\n ', ' ', '\0', 'user:pw@', '[::1]', '#', 'é', '"'], // prettier-ignore
    20,
  ),
  anyUtf16(80),
);
const CONTROL = /[\p{Cc}\p{Cs}]/u;

const path = fc
  .webUrl({ withQueryParameters: true, validSchemes: ['https'] })
  .filter((url) => !/[<>,\s]/.test(url));
const comment = fc.constantFrom('', ' ', '(click \\) here (now))', '\r\n\t');

describe('the unsubscribe addresses of a list', () => {
  it('should be only web pages and one mail address, for any fields', () => {
    holds(
      800,
      fc.property(
        fc.option(field),
        fc.option(fc.oneof(field, fc.constant('List-Unsubscribe=One-Click'))),
        (ways, post) => {
          const { unsubscribeUrl, unsubscribeMailto, oneClick } = parseListUnsubscribe(ways, post);
          if (unsubscribeUrl !== null) {
            const url = new URL(unsubscribeUrl);
            expect(['https:', 'http:']).toContain(url.protocol);
            expect([url.username, url.password]).toEqual(['', '']);
            expect(unsubscribeUrl).not.toMatch(CONTROL);
          }
          if (unsubscribeMailto !== null) {
            expect(decodeURIComponent(unsubscribeMailto)).not.toMatch(CONTROL);
            const [address = '', query] = unsubscribeMailto.slice('mailto:'.length).split('?');
            expect(isMailAddress(decodeURIComponent(address))).toBe(true);
            const names = [...new URLSearchParams(query).keys()];
            expect(names.every((name) => name === 'subject' || name === 'body')).toBe(true);
          }
          expect(oneClick && !unsubscribeUrl?.startsWith('https:')).toBe(false);
        },
      ),
    );
  });

  it('should be those that were written, in any order and with comments', () => {
    holds(
      300,
      fc.property(path, comment, fc.boolean(), fc.boolean(), (url, between, mailFirst, post) => {
        const items = [`<${url}>`, '<mailto:leave@list.example?subject=out%20of%20it>'];
        const text = (mailFirst ? items.reverse() : items).join(`${between},${between}`);
        expect(parseListUnsubscribe(`${between}${text}`, post ? 'List-Unsubscribe=One-Click' : null)).toEqual(
          {
            unsubscribeUrl: expect.stringMatching(/^https:/),
            unsubscribeMailto: 'mailto:leave@list.example?subject=out%20of%20it',
            oneClick: post,
          },
        );
        const read = parseListUnsubscribe(text, null).unsubscribeUrl;
        expect(new URL(read as string).href).toBe(new URL(url).href);
      }),
    );
  });

  it('should be the same when parsed again from the result', () => {
    holds(
      300,
      fc.property(field, (ways) => {
        const once = parseListUnsubscribe(ways, null);
        const written = [once.unsubscribeUrl, once.unsubscribeMailto].flatMap((way) =>
          way === null ? [] : `<${way}>`,
        );
        // A comma ends an item only outside brackets.
        expect(parseListUnsubscribe(written.join(', '), null)).toEqual(once);
      }),
    );
  });
});
