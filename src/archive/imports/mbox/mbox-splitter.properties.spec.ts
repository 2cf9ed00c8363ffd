import {
  allowForExamples,
  cutAt,
  fc,
  holds,
  mixtureOf,
  pieceSizes,
} from '../../../../test/support/properties';
import { mboxEntry } from '../../export/mbox-format';
import { detectDialect } from './detect-dialect';
import type { MboxDialect } from './from-line';
import { MboxEntry, MboxSplitter } from './mbox-splitter';

allowForExamples();

const F1 = 'From alice@example.com Thu Nov 24 18:22:48 1986';
const F2 = 'From bob@example.com Tue Mar 19 09:13:51 2019';
const TAKEOUT = 'From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019';
const MAX_MESSAGE = 400;

const dialect: fc.Arbitrary<MboxDialect> = fc.record({
  takeout: fc.boolean(),
  unquote: fc.boolean(),
});

/** Files that are nearly well-formed. */
const file = mixtureOf(
  [
    F1, F2, TAKEOUT, `\n\n${F1}\n`, `\r\n\r\n${F2}\r\n`, `\n${TAKEOUT}\r\n`, '\n\nFrom alice\n', 'From ', '>From ', '>>From x\n',
    'Subject: x\n', 'Subject: y\r\n', 'Content-Length: 3\n', 'Content-Length: 0\r\n', 'Content-Length: 99999999999\n', '\n', '\n\n',
    '\r\n', '\r', '\xef\xbb\xbf', '\0', 'body', 'x'.repeat(450), ' ', ':',
  ],
  30,
).map((text) => Buffer.from(text, 'latin1')); // prettier-ignore

function split(pieces: readonly Buffer[], of: MboxDialect, offset = 0): MboxEntry[] {
  const splitter = new MboxSplitter(of, { maxMessageBytes: MAX_MESSAGE, offset });
  const entries: MboxEntry[] = [];
  const drain = (): void => {
    for (let entry = splitter.next(); entry; entry = splitter.next()) entries.push(entry);
  };
  for (const piece of pieces) {
    splitter.write(piece);
    drain();
  }
  splitter.end();
  drain();
  return entries;
}

const shown = (entries: readonly MboxEntry[]): unknown[] =>
  entries.map(({ raw, ...rest }) => ({ ...rest, raw: raw?.toString('latin1') ?? null }));

describe('splitting an mbox file of any content', () => {
  it('should not depend on where its pieces are cut, nor on where it is resumed', () => {
    holds(
      150,
      fc.property(file, dialect, pieceSizes(), (bytes, of, sizes) => {
        const whole = split([bytes], of);
        expect(shown(split(cutAt(bytes, sizes), of))).toEqual(shown(whole));
        whole.forEach(({ end }, index) => {
          const rest = split(cutAt(bytes.subarray(end), sizes), of, end);
          expect(shown(rest)).toEqual(shown(whole.slice(index + 1)));
        });
      }),
    );
  });

  it('should account for every byte once', () => {
    holds(
      150,
      fc.property(file, dialect, (bytes, of) => {
        const entries = split([bytes], of);
        entries.forEach(({ offset, end, raw, damage }, index) => {
          expect(end).toBeGreaterThan(offset);
          expect(end).toBe(entries[index + 1]?.offset ?? bytes.length);
          expect(raw === null).toBe(damage !== null);
          if (raw) expect(raw.length).toBeLessThanOrEqual(2 * MAX_MESSAGE);
        });
        // Nothing but a byte order mark and blanks may stand before the first.
        const before = bytes.toString('latin1', 0, entries[0]?.offset ?? bytes.length);
        expect(before).toMatch(/^(?:\xef\xbb\xbf)?[ \t\r\n]*$/);
      }),
    );
  });

  it('should detect the dialect of any sample without failing', () => {
    holds(
      80,
      fc.property(file, (bytes) => {
        const found = detectDialect(bytes);
        if (found) expect(split([bytes], found).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('splitting a generated mbox file', () => {
  const lines = fc.array(
    fc.constantFrom(
      'From me',
      '>From you',
      '>>From ',
      F1,
      F2,
      'Subject: y',
      '',
      '',
      ' ',
      '>',
      '\xe4\0',
      'Content-Length: 7',
    ),
    { maxLength: 10 },
  );
  const mail = lines.map(
    (body) => `Subject: s\r\nMessage-ID: <x@y>\r\n\r\n${body.map((line) => `${line}\r\n`).join('')}`,
  );
  const mails = fc.array(mail, { minLength: 1, maxLength: 5 });
  const read = (bytes: Buffer, sizes: readonly number[]): (string | null)[] => {
    const found = detectDialect(bytes);
    if (!found) throw new Error('not taken for an mbox file');
    return split(cutAt(bytes, sizes), found).map(
      ({ raw, damage }) => raw?.toString('latin1') ?? damage!.reason,
    );
  };

  it('should return the mails that the mbox writer quoted (mboxrd)', () => {
    holds(
      80,
      fc.property(mails, pieceSizes(200), (all, sizes) => {
        const bytes = Buffer.concat(
          all.flatMap((text) =>
            mboxEntry(Buffer.from(text, 'latin1'), { sender: 'a@b.c', date: new Date(0) }),
          ),
        );
        expect(read(bytes, sizes)).toEqual(all);
      }),
    );
  });

  it('should return mails with a stated length, quoted or not (mboxcl2, mboxcl)', () => {
    holds(
      80,
      fc.property(mails, fc.boolean(), pieceSizes(200), (all, quotes, sizes) => {
        const written = all.map((text) => {
          const [head = '', ...rest] = text.split('\r\n\r\n');
          const plain = rest.join('\r\n\r\n').replaceAll('\r\n', '\n');
          const body = quotes ? plain.replace(/^(>*From )/gm, '>$1') : plain;
          const length = Buffer.byteLength(body, 'latin1');
          const header = `${head.replaceAll('\r\n', '\n')}\nContent-Length: ${length}\n\n`;
          return {
            entry: `${F1}\n${header}${body}\n`,
            mail: `${header}${plain}`.replaceAll('\n', '\r\n'),
            plain,
          };
        });
        // A file in which nothing tells whether lines were quoted is read as if they had been.
        const isPlain = !quotes && !all.some((text) => /^From /m.test(text));
        const expected = written.map(({ mail: whole }) =>
          isPlain ? whole.replace(/^>(>*From )/gm, '$1') : whole,
        );
        const bytes = Buffer.from(written.map(({ entry }) => entry).join(''), 'latin1');
        expect(read(bytes, sizes)).toEqual(expected);
      }),
    );
  });
});

describe('splitting a file that several programs have written to', () => {
  const fromLine = fc.constantFrom(
    F1,
    F2,
    'From -',
    'From bob@example.com',
    'From ',
    'From - Thu Feb  8',
    TAKEOUT,
  );
  const line = fc.constantFrom(
    'From me',
    'From -',
    '>From you',
    F1,
    'Subject: inner',
    'Content-Length: 3',
    '',
    '',
    'text',
    '\xe4\0',
  );
  const mail = fc.record({
    fromLine,
    writer: fc.constantFrom('mboxo', 'mboxrd', 'mboxcl', 'mboxcl2'),
    lines: fc.array(line, { maxLength: 10 }),
    eol: fc.constantFrom('\n', '\r\n'),
    /** Added to the right length; a large one is plainly wrong. */
    error: fc.constantFrom(0, 0, -2, -1, 1, 2, 1_000_000),
    /** Whether a writer that needs no length gives one. */
    counts: fc.boolean(),
  });
  type Mail = typeof mail extends fc.Arbitrary<infer Value> ? Value : never;

  /** A line that would be read as a separator where it stands unquoted. */
  const hasSeparator = ({ lines }: Mail): boolean => lines.some((text) => text.startsWith('From '));

  /** The bytes a program of that kind appends to the file, and the message that it means. */
  function append(one: Mail): { entry: string; message: string } {
    const { writer, lines, eol } = one;
    const written = lines.map((text) => {
      if (writer === 'mboxcl2') return text;
      return (writer === 'mboxrd' ? /^>*From / : /^From /).test(text) ? `>${text}` : text;
    });
    const body = written.map((text) => text + eol).join('');
    // Only the length tells where a message ends that holds separators: then it has to be right.
    const error = writer === 'mboxcl2' && hasSeparator(one) ? 0 : one.error;
    const length =
      writer.startsWith('mboxcl') || one.counts ? [`Content-Length: ${body.length + error}`] : [];
    const head = ['Subject: s', ...length, ''].map((text) => text + eol).join('');
    return {
      entry: one.fromLine + eol + head + body + eol,
      message: head + lines.map((text) => text + eol).join(''),
    };
  }

  /** In such a file a reader cannot tell whether a `>` belonged to the message. */
  const unquoted = (text: string): string => text.replace(/\r?\n/g, '\r\n').replace(/^>+(?=From )/gm, '');

  it('should return every message, complete, whatever dates and lengths say', () => {
    holds(
      150,
      fc.property(fc.array(mail, { minLength: 1, maxLength: 6 }), pieceSizes(200), (all, sizes) => {
        const written = all.map(append);
        const bytes = Buffer.from(written.map(({ entry }) => entry).join(''), 'latin1');
        const found = detectDialect(bytes);
        if (!found) throw new Error('not taken for an mbox file');
        const splitter = new MboxSplitter(found, { maxMessageBytes: 100_000 });
        const entries: MboxEntry[] = [];
        for (const piece of cutAt(bytes, sizes)) {
          splitter.write(piece);
          for (let entry = splitter.next(); entry; entry = splitter.next()) entries.push(entry);
        }
        splitter.end();
        for (let entry = splitter.next(); entry; entry = splitter.next()) entries.push(entry);
        expect(entries.map(({ raw, damage }) => unquoted(raw?.toString('latin1') ?? damage!.reason))).toEqual(
          written.map(({ message }) => unquoted(message)),
        );
        const unquotedLines = all.flatMap(({ writer, lines }) =>
          writer === 'mboxcl2' ? lines.filter((text) => text.startsWith('From ')) : [],
        );
        expect(entries.reduce((sum, { fromLinesInText }) => sum + fromLinesInText, 0)).toBe(
          unquotedLines.length,
        );
      }),
    );
  });
});
