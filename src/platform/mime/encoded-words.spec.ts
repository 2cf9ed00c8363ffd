import { decodeHeaderText } from './header-text';

const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('decodeHeaderText', () => {
  it.each([
    ['plain', 'Hello there', 'Hello there'],
    ['quoted', '=?utf-8?q?R=C3=A9union_=3D_x?=', 'Réunion = x'],
    ['base64', '=?UTF-8?B?UsOpdW5pb24=?= now', 'Réunion now'],
    ['words joined across white space', '=?utf-8?q?a?= \t =?utf-8?q?b?=', 'ab'],
    ['a character split over two words', '=?utf-8?q?caf=C3?= =?utf-8?b?qQ==?=', 'café'],
    ['words of two charsets', '=?utf-8?q?=C3=A9?= =?iso-8859-1?q?=E9?=', 'éé'],
    ['text between words', '=?utf-8?q?a?= x =?utf-8?q?b?=', 'a x b'],
    ['windows-1252 under the name iso-8859-1', '=?iso-8859-1?q?=93x=94_=80?=', '“x” €'],
    ['language suffix', '=?utf-8*fr?q?=C3=A9t=C3=A9?=', 'été'],
    ['iso-2022-jp', '=?iso-2022-jp?b?GyRCRnxLXBsoQg==?=', '日本'],
    ['a question mark as it is', '=?utf-8?Q?Kommst_du?_Gr=C3=BC=C3=9Fe?=', 'Kommst du? Grüße'],
    ['only question marks', '=?utf-8?Q????=', '??'],
    ['an unfinished word before another', '=?utf-8?q?abc =?utf-8?q?d?=', '=?utf-8?q?abc d'],
    ['iso-2022-kr', '=?ISO-2022-KR?B?GyQpQw4+SDNnR088PD9kDw==?=', '안녕하세요'],
    ['hz-gb-2312', '=?hz-gb-2312?B?fntWUE5Efn0=?=', '中文'],
    ['unknown charset', '=?x-nope?q?abc?=', 'abc'],
    ['unfinished word', '=?utf-8?q?abc', '=?utf-8?q?abc'],
    ['raw utf-8', bytes('Gruß'), 'Gruß'],
    ['raw 8-bit that is no utf-8', 'Gru\xdf \x80', 'Gruß €'],
    ['controls and direction marks', bytes('a\u0000b\u202ec  d'), 'abc d'],
  ])('should decode %s', (_, value, expected) => {
    expect(decodeHeaderText(value)).toBe(expected);
  });

  it('should read 8-bit bytes that are not UTF-8 in the charset of the body', () => {
    expect(decodeHeaderText('\xcf\xf0\xe8\xe2\xe5\xf2', undefined, 'windows-1251')).toBe('Привет');
    expect(decodeHeaderText(bytes('Gruß'), undefined, 'windows-1251')).toBe('Gruß');
    expect(decodeHeaderText('Gru\xdf', undefined, 'x-nope')).toBe('Gruß');
  });

  it('should take linear time for a value of broken words', () => {
    const value = '=?utf-8?q?a?b'.repeat(10_000);
    const startedAt = performance.now();
    decodeHeaderText(value);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
