import { allowForExamples, anyText, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { formatAddress, parseAddressList, parseDecodedAddressList } from './address-list';
import { decodeHeaderText, parseStructuredValue, singleLine } from './header-text';
import { parseMailDate } from './mail-date';

allowForExamples();

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** One encoded word of some of the bytes of a text. */
function encodedWord(bytes: Buffer, encoding: 'B' | 'Q'): string {
  const payload =
    encoding === 'B'
      ? bytes.toString('base64')
      : Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return `=?UTF-8?${encoding}?${payload}?=`;
}

describe('encoded words', () => {
  it('should decode to the written text, wherever it was cut into words and lines', () => {
    holds(
      300,
      fc.property(
        anyText(),
        fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom<'B' | 'Q'>('B', 'Q'),
        fc.constantFrom(' ', '\r\n ', '\r\n\t', '  '),
        (text, sizes, encoding, gap) => {
          const bytes = Buffer.from(text);
          const words: string[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] as number;
            words.push(encodedWord(bytes.subarray(at, at + size), encoding));
            at += size;
          }
          expect(decodeHeaderText(words.join(gap))).toBe(singleLine(text));
        },
      ),
    );
  });

  it('should become one line without any controls', () => {
    const pieces = [
      '=?utf-8?b?',
      '=?iso-8859-1?q?',
      '=?x?',
      '?=',
      '=?',
      '=0A',
      '=00',
      '4oCu',
      '\r\n ',
      ' ',
      '_',
      'AAAA',
    ];
    holds(
      500,
      fc.property(mixtureOf(pieces), (value) => {
        const text = decodeHeaderText(value);
        expect(text).not.toMatch(CONTROLS);
        expect(singleLine(text)).toBe(text);
      }),
    );
  });
});

describe('parameters', () => {
  const name = fc.constantFrom('filename', 'name', 'x-y');

  it('should be the written value, in continuations of any size and order (RFC 2231)', () => {
    holds(
      300,
      fc.property(
        name,
        anyText(40).filter((text) => !text.includes('=?')),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (parameter, text, sizes, random) => {
          const bytes = Buffer.from(text);
          const pieces: string[] = [];
          for (let at = 0; at < bytes.length || pieces.length === 0;) {
            const size = sizes[pieces.length % sizes.length] as number;
            const hex = Array.from(
              bytes.subarray(at, at + size),
              (byte) => `%${byte.toString(16).padStart(2, '0')}`,
            );
            const charset = pieces.length === 0 ? "utf-8'en'" : '';
            pieces.push(`${parameter}*${pieces.length}*=${charset}${hex.join('')}`);
            at += size;
          }
          const shuffled = pieces
            .map((piece) => [random.next().value, piece] as const)
            .sort(([one], [other]) => one - other);
          const field = ['attachment', ...shuffled.map(([, piece]) => piece)].join('; ');
          const { value, parameters } = parseStructuredValue(field);
          expect([value, parameters.get(parameter)]).toEqual(['attachment', singleLine(text)]);
        },
      ),
    );
  });

  it('should be the quoted text, with any characters in the quotes', () => {
    holds(
      300,
      fc.property(
        name,
        fc.string({ maxLength: 40 }).filter((text) => !text.includes('=?')),
        fc.constantFrom('; ', ';', ' ; (a "comment; x=y) '),
        (parameter, text, gap) => {
          const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
          const { value, parameters } = parseStructuredValue(
            `text/plain${gap}${parameter}=${quoted}; last=1`,
          );
          expect(value).toBe('text/plain');
          expect([parameters.get(parameter), parameters.get('last')]).toEqual([singleLine(text), '1']);
        },
      ),
    );
  });

  it('should never be more than one line for any field', () => {
    const pieces = [
      'name',
      '*',
      '0',
      '*=',
      '=',
      "utf-8''",
      '%0d%0a',
      '%00',
      '"',
      '\\',
      ';',
      '(',
      ')',
      '; name*1*=',
      '=?utf-8?q?=0D=0A?=',
    ];
    holds(
      500,
      fc.property(mixtureOf(pieces, 20), (field) => {
        for (const [, value] of parseStructuredValue(`text/plain; ${field}`).parameters) {
          expect(value).not.toMatch(CONTROLS);
        }
      }),
    );
  });
});

describe('address lists', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'abc ,;:<>()@\\"\'.é東'), maxLength: 20 })
    .map((text) => text.replace(/\s+/g, ' ').trim())
    // A name that is the address, or nothing but quotes around one, is not shown.
    .filter((text) => !/^'.*'$/.test(text));
  const address = fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...'abcXYZ0189._+-'), minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'abc019-.'), minLength: 1, maxLength: 12 }),
    )
    .map(([local, domain]) => `${local}@${domain}`);

  it('should be read as they were written, names and all', () => {
    holds(
      400,
      fc.property(
        fc.array(fc.record({ name, address }), { maxLength: 6 }),
        fc.constantFrom(', ', ',', ' ,\r\n\t'),
        (list, gap) => {
          const field = list
            .map(formatAddress)
            .join(gap)
            .replace(/[\r\n]/g, '');
          const shown = list.map((entry) =>
            entry.name.toLowerCase() === entry.address.toLowerCase() ? { ...entry, name: '' } : entry,
          );
          expect(parseAddressList(latin1(field))).toEqual(shown);
          expect(parseDecodedAddressList(field)).toEqual(shown);
        },
      ),
    );
  });

  it('should have addresses and names of one line, 1,000 at most, for any field', () => {
    const pieces = [
      '<',
      '>',
      '(',
      ')',
      '"',
      '\\',
      ',',
      ';',
      ':',
      '@',
      'a@b.c',
      ' ',
      '=?utf-8?q?=0D=0A=2C?=',
      '<a@b>',
      '\0',
    ];
    holds(
      500,
      fc.property(mixtureOf(pieces, 25), (field) => {
        for (const { name, address } of parseAddressList(field)) {
          expect(`${name}${address}`).not.toMatch(CONTROLS);
          expect(name + address).not.toBe('');
        }
      }),
    );
  });

  it('should never let an encoded word start another address', () => {
    holds(
      200,
      fc.property(anyText(30), (text) => {
        const bytes = Buffer.from(`${text}>, <evil@x.org>`);
        expect(
          parseAddressList(`${encodedWord(bytes, 'B')} <a@b.org>`).map(({ address }) => address),
        ).toEqual(['a@b.org']);
      }),
    );
  });
});

describe('dates', () => {
  const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const two = (value: number): string => String(value).padStart(2, '0');
  const instant = fc
    .integer({ min: Date.UTC(1900, 0, 3) / 1000, max: Date.UTC(9999, 11, 29) / 1000 })
    .map((seconds) => new Date(seconds * 1000));
  const zone = fc.integer({ min: -14 * 60, max: 14 * 60 });

  it('should be the instants that were written, in any zone and with comments', () => {
    holds(
      400,
      fc.property(
        instant,
        zone,
        fc.constantFrom('', ' (CET)', ' (a (nested) one)'),
        fc.boolean(),
        (date, minutes, comment, weekday) => {
          const local = new Date(date.getTime() + minutes * 60_000);
          const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
          const day = weekday ? `${WEEKDAYS[local.getUTCDay()]}, ` : '';
          const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(':');
          const year = String(local.getUTCFullYear()).padStart(4, '0');
          const text = `${day}${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${year} ${time} ${offset}${comment}`;
          expect([text, parseMailDate(text)?.toISOString()]).toEqual([text, date.toISOString()]);
          expect(parseMailDate(date.toISOString())?.getTime()).toBe(date.getTime());
        },
      ),
    );
  });

  it('should be dates of the years 1900 to 9999 or none, for any field', () => {
    const pieces = [
      '1',
      '99',
      '31',
      ' ',
      ' Feb ',
      'Jan',
      ':',
      '.',
      '-',
      '+9999',
      ' 2024',
      'Mon, ',
      '24:00',
      '(',
      ')',
      '\t',
      'T',
      'Z',
      '2024-02-30',
      '12:61',
    ];
    holds(
      500,
      fc.property(fc.oneof(mixtureOf(pieces), anyUtf16(300)), (text) => {
        const date = parseMailDate(text);
        if (date === null) return;
        expect(date.getUTCFullYear()).toBeGreaterThanOrEqual(1900);
        expect(date.getUTCFullYear()).toBeLessThanOrEqual(9999);
      }),
    );
  });
});
