import { mboxEntry } from '../../export/mbox-format';
import { detectDialect } from './detect-dialect';
import type { MboxDialect } from './from-line';
import { COMPRESSION_DAMAGED } from '../containers/read-damage';
import { largerThan } from './mbox-damage';
import { MboxEntry, MboxSplitter } from './mbox-splitter';

const MIB = 1024 * 1024;
const F1 = 'From alice@example.com Thu Nov 24 18:22:48 1986';
const F2 = 'From bob@example.com Tue Mar 19 09:13:51 2019';
const TAKEOUT = 'From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019';
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
const message = (subject: string, ...body: string[]): string => lines(`Subject: ${subject}`, '', ...body);
const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

interface Split {
  readonly messages: string[];
  readonly damages: string[];
}

function split(file: Buffer, dialect: MboxDialect, chunkSize: number, maxMessageBytes = MIB): MboxEntry[] {
  const splitter = new MboxSplitter(dialect, { maxMessageBytes });
  const entries: MboxEntry[] = [];
  const drain = (): void => {
    for (let entry = splitter.next(); entry; entry = splitter.next()) entries.push(entry);
  };
  for (let at = 0; at < file.length; at += chunkSize) {
    splitter.write(file.subarray(at, at + chunkSize));
    drain();
  }
  splitter.end();
  drain();
  return entries;
}

const shown = (entries: readonly MboxEntry[]): Split => ({
  messages: entries.flatMap(({ raw }) => raw?.toString('latin1') ?? []),
  damages: entries.flatMap(({ damage, offset }) => (damage === null ? [] : `${offset}: ${damage.reason}`)),
});

/** Splits with every size of piece, and again from every entry; all of it has to be the same. */
function splitAnyhow(file: string | Buffer, maxMessageBytes?: number): Split {
  const bytes = Buffer.isBuffer(file) ? file : Buffer.from(file, 'latin1');
  const dialect = detectDialect(bytes);
  if (!dialect) throw new Error('not an mbox file');
  const whole = split(bytes, dialect, Math.max(1, bytes.length), maxMessageBytes);
  for (let size = 1; size <= bytes.length; size++) {
    expect([size, shown(split(bytes, dialect, size, maxMessageBytes))]).toEqual([size, shown(whole)]);
  }
  whole.forEach(({ offset, end }, index) => {
    expect(end).toBe(whole[index + 1]?.offset ?? bytes.length);
    const rest = new MboxSplitter(dialect, { maxMessageBytes: maxMessageBytes ?? MIB, offset: end });
    rest.write(bytes.subarray(end));
    rest.end();
    const again: MboxEntry[] = [];
    for (let entry = rest.next(); entry; entry = rest.next()) again.push(entry);
    if (offset > 0 || index > 0) expect(shown(again)).toEqual(shown(whole.slice(index + 1)));
  });
  return shown(whole);
}

describe('MboxSplitter', () => {
  const a = message('a', 'hello');
  const b = message('b', 'world', '');

  it.each<[string, string, string[]]>([
    ['one message', lines(F1) + a + '\n', [a]],
    ['two', lines(F1) + a + '\n' + lines(F2) + b + '\n', [a, b]],
    ['CRLF', crlf(lines(F1) + a + '\n' + lines(F2) + b + '\n'), [a, b]],
    ['a mixture', lines(F1) + crlf(a) + '\n' + lines(F2) + b + '\r\n' + lines(F1) + a, [a, b, a]],
    [
      'no line end after the last line',
      lines(F1) + a + '\n' + lines(F2) + 'Subject: b\n\nworld',
      [a, 'Subject: b\n\nworld'],
    ],
    ['no empty line at the end', lines(F1) + a, [a]],
    ['BOM and empty lines first', `\xef\xbb\xbf\r\n\n${lines(F1)}${a}\n`, [a]],
    [
      'no empty line before a separator',
      lines(F1) + a + lines(F2) + b + lines(F1) + a,
      [a, message('b', 'world'), a],
    ],
    [
      'a separator without empty line and header',
      lines(F1) + a + lines(F2, 'prose'),
      [a + lines(F2, 'prose')],
    ],
    [
      'prose',
      lines(F1) +
        message('a', 'x', '', 'From here on it is downhill.', '', 'From Thu to Fri', '', '') +
        '\n' +
        lines(F2) +
        b,
      [
        message('a', 'x', '', 'From here on it is downhill.', '', 'From Thu to Fri', '', ''),
        message('b', 'world'),
      ],
    ],
    [
      'prose with lines that look like fields',
      lines('From nora@sender.example') +
        message('a', 'Hi,', '', 'From tomorrow on the rules are', 'Note: bring your badge', '', 'more', '') +
        lines('From nora@sender.example') +
        b,
      [
        message('a', 'Hi,', '', 'From tomorrow on the rules are', 'Note: bring your badge', '', 'more'),
        message('b', 'world'),
      ],
    ],
    [
      'a header whose known field comes late',
      lines('From a') +
        lines('X-One: 1', ' folded', 'Subject: a', '', 'x', '', 'From b', 'X-Two: 2', 'To: c', '', 'y'),
      [lines('X-One: 1', ' folded', 'Subject: a', '', 'x'), lines('X-Two: 2', 'To: c', '', 'y')],
    ],
    [
      'mboxrd',
      lines(F1) + message('a', '>From me', '>>From you', '> From', '>from') + '\n',
      [message('a', 'From me', '>From you', '> From', '>from')],
    ],
    [
      'a quoted header',
      lines(F1) + lines('Subject: a', '>From x', '', '>From y') + '\n',
      [lines('Subject: a', '>From x', '', 'From y')],
    ],
    [
      'a file that does not quote',
      lines(F1) + message('a', 'From me', '>From you') + '\n',
      [message('a', 'From me', '>From you')],
    ],
    [
      'a From_ line in a header',
      lines(F1, F2, 'Subject: a', F2, 'To: b', '', 'x') + '\n',
      [lines(F2, 'Subject: a', F2, 'To: b', '', 'x')],
    ],
    ['no header', lines(F1, '', 'x', '') + '\n' + lines(F2, 'y'), [lines('', 'x', ''), lines('y')]],
    [
      'Takeout',
      crlf(lines(TAKEOUT) + a + '\n' + lines(TAKEOUT) + message('q', 'x', '', F1, '', 'y') + '\n'),
      [a, message('q', 'x', '', F1, '', 'y')],
    ],
    [
      'a file without dates',
      lines('From alice') + a + '\n' + lines('From bob') + message('b', '', 'From prose') + '\n',
      [a, message('b', '', 'From prose')],
    ],
    [
      'only a header',
      lines(F1, 'Subject: a') + '\n' + lines(F2, 'Subject: b'),
      ['Subject: a\n', 'Subject: b\n'],
    ],
  ])('should split %s', (_name, file, expected) => {
    expect(splitAnyhow(file)).toEqual({ messages: expected.map(crlf), damages: [] });
  });

  it.each([
    'From alice@example.com Thu Nov 24 18:22:48 1986',
    'From - Thu Nov 24 18:22:48 1986',
    'From MAILER-DAEMON Fri Jul  8 12:08:34 2011',
    'From  Thu Nov 24 18:22 1986',
    'From "Alice Example" Thu Nov 24 18:22:48 CEST 1986',
    'From alice Thu Nov 24 18:22:48 1986 +0200',
    'From alice Thu, 24 Nov 1986 18:22:48 +0000',
    'From ???@??? Thu Jan 01 00:00:00 1970',
    'From alice Thu Nov 24 18:22:48 1986 remote from host',
  ])('should recognise the separator %s', (line) => {
    expect(splitAnyhow(lines(line) + a + '\n' + lines(line) + a).messages).toEqual([a, a].map(crlf));
  });

  describe('with Content-Length', () => {
    const counted = (body: string, length = body.length): string => `Content-Length: ${length}\n\n${body}`;
    const embedded = `forwarded:\n\n${F2}\nSubject: inner\n\nFrom prose\n>From quote\n`;

    it.each<[string, string, string[]]>([
      [
        'mboxcl2',
        lines(F1) + counted(embedded) + '\n' + lines(F2) + counted('x\n') + '\n',
        [counted(embedded), counted('x\n')],
      ],
      [
        'mboxcl2 at the end',
        lines(F1) + counted('x\n') + '\n' + lines(F2) + counted(embedded),
        [counted('x\n'), counted(embedded)],
      ],
      ['mboxcl', lines(F1) + counted('>From x\n') + '\n', [counted('From x\n', 8)]],
      [
        'too long a length',
        lines(F1) + counted('x\n', 20) + '\n' + lines(F2) + counted('y\n'),
        [counted('x\n', 20), counted('y\n')],
      ],
      [
        'too short a length',
        lines(F1) + counted('xxxx\nyyyy\n', 2) + '\n' + lines(F2) + counted('y\n'),
        [counted('xxxx\nyyyy\n', 2), counted('y\n')],
      ],
      ['no length', lines(F1) + a + '\n' + lines(F2) + counted('y\n'), [a, counted('y\n')]],
      [
        'an enormous length',
        lines(F1) + counted('x\n', 99_999_999_999) + '\n' + lines(F2) + a,
        [counted('x\n', 99_999_999_999), a],
      ],
      [
        'an empty body',
        lines(F1) + counted('') + '\n' + lines(F2) + counted('y\n'),
        [counted(''), counted('y\n')],
      ],
    ])('should split %s', (_name, file, expected) => {
      expect(splitAnyhow(file)).toEqual({ messages: expected.map(crlf), damages: [] });
    });

    it('should trust a length that leads to a separator, whatever stands between', () => {
      const inner = `forwarded:\n\n${lines(F2)}${a}`;
      const file = lines(F2) + a + '\n' + lines(F1) + counted(inner) + '\n' + lines(F2) + a;
      expect(splitAnyhow(file).messages).toEqual([a, counted(inner), a].map(crlf));
    });
  });

  describe('a separator without a date', () => {
    const bare = 'From -';
    const off = (body: string, by: number): string => `Content-Length: ${body.length + by}\n\n${body}`;

    it.each<[string, string, string[]]>([
      [
        'first, before dated ones',
        lines(bare) + a + '\n' + lines(F1) + a + '\n' + lines(F2) + b,
        [a, a, message('b', 'world')],
      ],
      [
        'after dated ones',
        lines(F1) + a + '\n' + lines(bare) + a + '\n' + lines('From bob@example.com') + a,
        [a, a, a],
      ],
      [
        'and lengths that are wrong by one',
        lines(bare) + off('x\n', 1) + '\n' + lines(bare) + off('y\n', -1) + '\n' + lines(F1) + off('z\n', 7),
        [off('x\n', 1), off('y\n', -1), off('z\n', 7)],
      ],
      [
        'and a length that leads into the next message',
        lines(bare) + off('x\n', 20) + '\n' + lines(bare) + a,
        [off('x\n', 20), a],
      ],
      ['in CRLF', crlf(lines(bare) + a + '\n' + lines(bare) + b), [a, message('b', 'world')]],
      [
        'before a byte order mark',
        lines(bare) + a + '\n' + lines(bare) + `\xef\xbb\xbf${a}`,
        [a, `\xef\xbb\xbf${a}`],
      ],
      [
        'before another',
        lines(bare) + lines(F1) + a + '\n' + lines(bare) + lines('>From x') + a,
        [lines(F1) + a, lines('>From x') + a],
      ],
      [
        'before obsolete syntax',
        lines(bare) + a + '\n' + lines(bare, 'To \t: x', '', 'y'),
        [a, lines('To \t: x', '', 'y')],
      ],
      [
        'in a Takeout file',
        crlf(lines(TAKEOUT) + a + '\n' + lines(bare) + a + '\n' + lines(TAKEOUT) + a),
        [a, a, a],
      ],
      [
        'and a very long line behind it',
        lines(bare) + a + '\n' + lines(bare) + message('b', 'x'.repeat(3_000)),
        [a, message('b', 'x'.repeat(3_000))],
      ],
    ])('should be recognised %s', (_name, file, expected) => {
      expect(splitAnyhow(file)).toEqual({ messages: expected.map(crlf), damages: [] });
    });

    it.each([
      ['no empty line before it', 'text\nFrom -\nSubject: x'],
      ['a quote', 'text\n\n>From -\nSubject: x'],
      ['text behind it', 'text\n\nFrom here on\nit goes: down'],
      ['an address of the web behind it', 'text\n\nFrom our pages:\nhttps://example.com/'],
      ['two lines of text behind it', 'text\n\nFrom here\nFrom there\nit goes: down'],
      ['nothing behind it', 'text\n\nFrom here on'],
      ['a long line', `text\n\nFrom ${'x'.repeat(1_000)}\nSubject: x`],
    ])('should not be found in text with %s', (_name, body) => {
      const file = lines(bare) + message('a', body) + '\n' + lines(bare) + a;
      expect(splitAnyhow(file).messages[1]).toBe(crlf(a));
      expect(splitAnyhow(file).messages).toHaveLength(2);
    });
  });

  it('should know a header by its many fields when none that messages have is near', () => {
    const trace = lines(
      ...Array.from({ length: 300 }, (_, number) => `X-Trace-${number}: ${'x'.repeat(40)}`),
    );
    const file = Buffer.from(`From a\n${a}\nFrom b\n${trace}Subject: b\n\nworld\n`);
    const found = split(file, { takeout: false, unquote: true }, file.length);
    expect(found.map(({ raw }) => raw?.includes('Subject: b'))).toEqual([false, true]);
  });

  it('should count the lines that it treated as text', () => {
    const counted = `Content-Length: 42\n\nx\n\nFrom -\nSubject: inner\n\nFrom me\n\nFrom y`;
    const file = Buffer.from(
      lines(F1) +
        message('a', 'From me', '>From you', '', 'From here on', 'it goes') +
        '\n' +
        lines('From -') +
        counted +
        '\n\n' +
        lines(F2) +
        message('too large', ...Array.from({ length: 40 }, () => 'From me')),
    );
    const dialect = detectDialect(file)!;
    for (const size of [1, 7, file.length]) {
      expect(split(file, dialect, size, 200).map(({ fromLinesInText }) => fromLinesInText)).toEqual([
        2, 3, 40,
      ]);
    }
    const junk = Buffer.from(`From here\non\n\nFrom there\n\n${lines(F1)}${a}`);
    expect(split(junk, dialect, 3).map(({ fromLinesInText }) => fromLinesInText)).toEqual([2, 0]);
  });

  it('should skip empty and oversized messages and report their offsets', () => {
    const large = message('large', 'x'.repeat(300), '', 'From the other side', '', 'y'.repeat(300));
    const file = lines(F1) + a + '\n' + lines(F2) + '\n' + lines(F1) + large + '\n' + lines(F2) + b + '\n';
    const at = (text: string): number => file.indexOf(text);
    expect(splitAnyhow(file, 200)).toEqual({
      messages: [a, b].map(crlf),
      damages: [`${at(F2)}: it is empty`, `${at(`${F1}\nSubject: large`)}: it is larger than 0 MiB`],
    });
    expect(splitAnyhow(lines(F1) + a + '\n' + F2).damages).toEqual([
      `${`${F1}\n${a}\n`.length}: it is empty`,
    ]);
    expect(splitAnyhow(lines(F1) + large, 200).messages).toEqual([]);
    expect(splitAnyhow(lines(F1) + 'x'.repeat(400), 200).messages).toEqual([]);
  });

  it('should accept a message of exactly the maximum size', () => {
    expect(splitAnyhow(lines(F1) + a + '\n' + lines(F2) + b, a.length).messages).toEqual([
      crlf(a),
      crlf(message('b', 'world')),
    ]);
  });

  it('should skip text before the first separator, and report it', () => {
    const junk = 'once upon a time\n\nthere was a file\n';
    expect(splitAnyhow(`${junk}\n${lines(F1)}${a}\n`)).toEqual({
      messages: [crlf(a)],
      damages: ['0: there is no From_ line before it'],
    });
  });

  it('should not trust the last message of a truncated file', () => {
    const dialect: MboxDialect = { takeout: false, unquote: true };
    const sut = new MboxSplitter(dialect, { maxMessageBytes: MIB });
    sut.write(Buffer.from(lines(F1) + a + '\n' + lines(F2) + 'Subject: b'));
    sut.end(COMPRESSION_DAMAGED);
    expect([sut.next(), sut.next(), sut.next()]).toEqual([
      expect.objectContaining({ raw: Buffer.from(crlf(a)), damage: null }),
      expect.objectContaining({ raw: null, damage: COMPRESSION_DAMAGED }),
      null,
    ]);
  });

  it('should use constant memory for messages of any size', () => {
    const dialect: MboxDialect = { takeout: false, unquote: true };
    const sut = new MboxSplitter(dialect, { maxMessageBytes: 2 * MIB });
    const piece = Buffer.alloc(256 * 1024, `${'x'.repeat(76)}\n`);
    sut.write(Buffer.from(lines(F1) + 'Subject: endless\n\n'));
    const before = process.memoryUsage().arrayBuffers;
    for (let written = 0; written < 400; written++) {
      sut.write(piece);
      expect(sut.next()).toBeNull();
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
    sut.write(Buffer.from(`\n\n${lines(F2)}${a}`));
    expect(sut.next()).toMatchObject({ offset: 0, raw: null, damage: largerThan(2 * 1024 * 1024) });
    sut.end();
    expect(sut.next()).toMatchObject({ raw: Buffer.from(crlf(a)) });
    expect(sut.next()).toBeNull();
  });

  it('should take linear time for a hostile file', () => {
    const hostile = [
      `${F1}\n${'\nFrom '.repeat(200_000)}`,
      `${F1}\n\n${'>'.repeat(500_000)}From x\n`,
      `${F1}\n\n${'>From \n'.repeat(100_000)}`,
      `${F1}\n${'x'.repeat(1_000_000)}`,
      `${F1}\n${`${F2}\n`.repeat(20_000)}`,
      `${F1}\n${'From a '.repeat(200_000)}`,
      `${F1}\n${`\nFrom ${'Thu Nov 24 18:22:48 '.repeat(49)}`.repeat(1_000)}`,
    ];
    for (const file of hostile) {
      const bytes = Buffer.from(file);
      const before = process.cpuUsage();
      split(bytes, detectDialect(bytes)!, 64 * 1024, 10 * MIB);
      const { user, system } = process.cpuUsage(before);
      // Work that grows with the square of the size takes minutes.
      expect([file.slice(0, 80), user + system < 4_000_000]).toEqual([file.slice(0, 80), true]);
    }
  }, 60_000);

  describe('detectDialect', () => {
    it.each([
      ['nothing', ''],
      ['empty lines', '\r\n\n'],
      ['prose', 'Dear Sir,\n\nFrom here on it is downhill.\n'],
      ['prose that begins like one', 'From here on it is downhill.\nNothing else.\n'],
      ['a message without separator', a],
      ['bytes', '\x00\x01\x02\xff'.repeat(1_000)],
    ])('should not mistake %s for an mbox file', (_name, file) => {
      expect(detectDialect(Buffer.from(file, 'latin1'))).toBeNull();
    });

    it.each([
      ['without date', 'From -\n'],
      ['with one', `${F2}\n`],
      ['of Takeout', `${TAKEOUT}\n`],
      ['that is long', `From ${'x'.repeat(980)}\n`],
      ['that stands twice', 'From -\nFrom alice\n'],
      ['with a quoted one behind it', 'From -\n>From alice\n'],
    ])('should detect the same dialect wherever the sample ends, with a separator %s', (_name, separator) => {
      const quoted = message('q', 'hello', '', '>From me to you');
      // Longer than what may be left undecided.
      const first = `${separator}${message('first', 'x'.repeat(12_000))}\n`;
      const file = Buffer.from(first + `${separator}${quoted}\n`.repeat(3) + separator + a);
      const unquoted = Buffer.from(`${separator}${quoted}\nFrom me\nto you\n${'x'.repeat(12_000)}\n`);
      const whole = detectDialect(file)!;
      expect([whole.unquote, detectDialect(unquoted)!.unquote]).toEqual([true, false]);
      for (let end = first.length; end <= file.length; end++) {
        expect([end, detectDialect(file.subarray(0, end), end)]).toEqual([end, whole]);
      }
      for (let end = unquoted.length - 100; end <= unquoted.length; end++) {
        expect([end, detectDialect(unquoted.subarray(0, end), end)!.unquote]).toEqual([end, false]);
      }
    });
  });

  it('should return the messages that the mbox writer has written', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const pieces = [
      'From ',
      '>From ',
      '>>From x',
      F1,
      F2,
      '\r\n',
      '\r\n',
      '\r\n\r\n',
      'Subject: x',
      'Content-Length: 12',
      '\xe4\x00',
      'prose',
      '> ',
      'F',
      '\r\nFrom ',
      '\r\n\r\nFrom ',
      `\r\n\r\n${F2}\r\nSubject: y\r\n`,
      TAKEOUT,
    ];
    for (let round = 0; round < 400; round++) {
      const mails = Array.from({ length: 1 + random(4) }, () => {
        const body = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join('');
        return `${random(4) === 0 ? '' : 'Subject: hello\r\n'}${body}\r\n`;
      });
      const written: Buffer[] = [];
      for (const mail of mails) {
        const entry = mboxEntry(Buffer.from(mail, 'latin1'), {
          sender: 'a@example.com',
          date: new Date(0),
        });
        written.push(...entry);
      }
      const file = Buffer.concat(written);
      const dialect = detectDialect(file)!;
      expect(shown(split(file, dialect, 1 + random(file.length)))).toEqual({ messages: mails, damages: [] });
    }
  });
});
