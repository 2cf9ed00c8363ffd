import { decodeCharset } from './charset';
import { Defects } from './defects';

describe('decodeCharset', () => {
  it.each([
    ['iso-8859-1', '80 93 e9', '€“é'],
    ['"ISO-8859-1"', 'e9', 'é'],
    ['cp1251', 'cf f0 e8 e2 e5 f2', 'Привет'],
    ['gb2312', 'c4 e3 ba c3', '你好'],
    ['big5', 'a7 41 a6 6e', '你好'],
    ['ks_c_5601-1987', 'c7 d1', '한'],
    ['shift_jis', '93 fa 96 7b', '日本'],
    ['iso-2022-jp', '1b 24 42 46 7c 4b 5c 1b 28 42', '日本'],
    ['utf-7', '2b 41 4f 6b 2d', 'é'],
    ['utf-16le', '41 00 e9 00', 'Aé'],
    ['utf-8', 'ef bb bf c3 a9', 'é'],
    [
      'iso-2022-kr',
      '1b 24 29 43 0e 3e 48 33 67 47 4f 3c 3c 3f 64 0f 20 0e 48 38 40 47 0f',
      '안녕하세요 회의',
    ],
    ['hz-gb-2312', '7e 7b 56 50 4e 44 7e 7d 61 7e 7e', '中文a~'],
    ['x-mac-cyrillic', '8f f0 e8 e2 e5 f2', 'Привет'],
    ['x-mac-ce', '8e', 'é'],
    ['x-mac-greek', 'ba e1 ec e8', 'Καλη'],
    ['x-mac-romanian', 'ae', 'Ă'],
    ['8859-15', 'a4', '€'],
    ['ISO_8859-2', 'b1', 'ą'],
    ['unicodefffe', '00 41 20 ac', 'A€'],
    ['csISO885915', 'a4', '€'],
    ['866', '8f', 'П'],
    ['us-ascii', 'c3 a9', 'é'],
    ['us-ascii', 'e9', 'é'],
    [null, 'e2 82 ac', '€'],
    [null, '80', '€'],
  ])('should decode %s', (label, hex, expected) => {
    expect(decodeCharset(Buffer.from(hex.replaceAll(' ', ''), 'hex'), label)).toBe(expected);
  });

  it.each(['x-nope', 'hex', 'base64', '__proto__', 'constructor'])(
    'should read %s as unlabelled and report it',
    (label) => {
      const defects = new Defects();
      expect(decodeCharset(Buffer.from('caf\xe9', 'latin1'), label, defects)).toBe('café');
      expect(defects.list()).toEqual([expect.stringContaining('unknown charset')]);
    },
  );

  it.each(['iso-8859-1', 'windows-1251', 'koi8-r', 'x-mac-greek'])(
    'should read UTF-8 that is labelled %s as UTF-8, and report it',
    (label) => {
      const defects = new Defects();
      expect(decodeCharset(Buffer.from('Grüße, Jörg'), label, defects)).toBe('Grüße, Jörg');
      expect(defects.list()).toEqual([expect.stringMatching(/^text labelled .* is utf-8$/)]);
      // A character that a limit has cut changes nothing.
      expect(decodeCharset(Buffer.from('Grüße €').subarray(0, -1), label)).toMatch(/^Grüße /);
    },
  );

  it.each([
    ['windows-1252', 'dc 93', 'Ü“'],
    ['windows-1251', 'd0 b8', 'Рё'],
    ['iso-8859-1', 'e9 74 e9', 'été'],
    ['gbk', 'c4 e3 ba c3', '你好'],
  ])('should trust the label %s where it can be true', (label, hex, expected) => {
    expect(decodeCharset(Buffer.from(hex.replaceAll(' ', ''), 'hex'), label)).toBe(expected);
  });

  it('should never throw for any bytes', () => {
    const noise = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) & 0xff));
    for (const label of [
      'utf-8',
      'utf-16',
      'utf-32',
      'iso-2022-jp',
      'iso-2022-kr',
      'hz-gb-2312',
      'utf-7',
      'gb18030',
      'euc-jp',
      'big5',
      'koi8-r',
    ]) {
      expect(typeof decodeCharset(noise, label)).toBe('string');
    }
  });
});
