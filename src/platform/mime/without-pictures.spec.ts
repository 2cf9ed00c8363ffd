import { parseMessage } from './parse-message';
import { withoutPictures } from './without-pictures';

const PICTURE = 'A'.repeat(3 * 1024 * 1024);
const message = (html: string): Buffer =>
  Buffer.from(`Subject: A picture\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`);

describe('withoutPictures', () => {
  it.each([
    ['a picture', `<img src="data:image/png;base64,${'QUJD'.repeat(100)}"><p>text</p>`],
    [
      'two pictures',
      `<img src='data:;base64,${'ab+/'.repeat(90)}'>x<img src="data:x/y;base64,${'z'.repeat(400)}">`,
    ],
  ])('should leave out %s and nothing else', (_name, html) => {
    const rest = withoutPictures(Buffer.from(html)).toString();
    expect(rest).toBe(html.replace(/(;base64,)[^"']+/g, '$1'));
  });

  it('should leave short values and documents without pictures as they are', () => {
    for (const html of [
      '<p>text</p>',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
      ';base64,',
      '',
    ])
      expect(withoutPictures(Buffer.from(html)).toString()).toBe(html);
  });
});

describe('text behind pictures and styles', () => {
  it('should be found, however large they are', () => {
    const html = `<p>before</p><img src="data:image/png;base64,${PICTURE}"><p>afterpictureword</p>`;
    expect(parseMessage(message(html)).text).toBe('before\nafterpictureword');
  });

  it('should be found behind several megabytes of style', () => {
    const html = `<style>${'.a{color:red}'.repeat(200_000)}</style><p>afterstyleword</p>`;
    expect(parseMessage(message(html)).text).toBe('afterstyleword');
  });

  it('should not find what stands in the picture', () => {
    const html = `<img src="data:image/png;base64,${'hidden+words/'.repeat(100)}"><p>shown</p>`;
    expect(parseMessage(message(html)).text).toBe('shown');
  });
});

describe('a text that is longer than is searched', () => {
  it('should be reported as cut', () => {
    const long = parseMessage(Buffer.from(`Subject: Long\r\n\r\n${'word '.repeat(900_000)}`));
    expect(long.defects).toEqual(['only the first 4 MiB of the text are searched']);
    expect(parseMessage(Buffer.from('Subject: Short\r\n\r\nword')).defects).toEqual([]);
  });
});
