import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ExportedMail, MailContent } from './exported-mail';
import { fromLine, mboxEntry, MboxQuoter } from './mbox-format';
import { mboxMails } from './mbox-mails';
import { mboxOf } from './mbox-writer';

const HERE = { mbox: async (...input: Parameters<typeof mboxMails>) => mboxMails(...input) };

const envelope = { sender: 'Alice <alice@example.com>', date: new Date('1986-11-04T18:02:08Z') };
const FROM_LINE = 'From alice@example.com Tue Nov  4 18:02:08 1986\n';

const mail = { id: 'mail', sizeBytes: 0, ...envelope } as ExportedMail;
const hashOf = (...bytes: Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(bytes)).digest('hex');

/** One piece is a mail that was read, more are a mail that is streamed. */
async function write(...chunks: string[]): Promise<string> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk, 'latin1'));
  const content = bytes.length === 1 ? bytes[0]! : async () => Readable.from(bytes, { objectMode: false });
  const batches = async function* (): AsyncGenerator<MailContent[]> {
    yield [{ mail: { ...mail, sha256: hashOf(...bytes) }, content }];
  };
  const written: Buffer[] = [];
  for await (const pieces of mboxOf(batches(), HERE)) written.push(...pieces);
  return Buffer.concat(written).toString('latin1');
}

/** The same by regular expressions on the whole message. */
function oracle(message: string): string {
  const lf = message.replaceAll('\r\n', '\n');
  const [, header = '', body = ''] = /^([^\n]+(?:\n[^\n]+)*\n\n|\n)?(.*)$/s.exec(lf) ?? [];
  const isHeaderOnly = header === '' && !lf.startsWith('\n');
  const text = isHeaderOnly ? lf : header + body.replace(/(?<![^\n])(>*From )/g, '>$1');
  return FROM_LINE + text + (text === '' || text.endsWith('\n') ? '\n' : '\n\n');
}

describe('fromLine', () => {
  it.each([
    ['alice@example.com', 'alice@example.com'],
    ['"Doe <x>, J" <j@d.e>', 'j@d.e'],
    ['', 'MAILER-DAEMON'],
    ['Only A Name', 'MAILER-DAEMON'],
    ['<two words@x.org>', 'MAILER-DAEMON'],
    ['<a@b\nFrom evil@x>', 'MAILER-DAEMON'],
  ])('should name the sender %j', (sender, expected) => {
    expect(fromLine({ ...envelope, sender })).toBe(`From ${expected} Tue Nov  4 18:02:08 1986\n`);
  });
});

describe('mboxOf', () => {
  it.each([
    ['read', Buffer.from('altered')],
    ['streamed', async () => Readable.from([Buffer.from('alt'), Buffer.from('ered')], { objectMode: false })],
  ])('should fail rather than export an altered mail as intact: %s', async (_how, content) => {
    const batches = async function* (): AsyncGenerator<MailContent[]> {
      yield [{ mail: { ...mail, sha256: hashOf(Buffer.from('archive')) }, content }];
    };
    const read = async (): Promise<void> => {
      for await (const pieces of mboxOf(batches(), HERE)) expect(pieces.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('has been altered');
  });

  it.each([
    ['Subject: s\r\n\r\nbody\r\n', 'Subject: s\n\nbody\n\n'],
    ['Subject: s\r\n\r\nno line end', 'Subject: s\n\nno line end\n\n'],
    ['From old@x.org Mon\r\nSubject: s\r\n\r\nx\r\n', 'From old@x.org Mon\nSubject: s\n\nx\n\n'],
    [
      'S: s\n\nFrom here\n>From there\n>>From\n> From\nFrom\nFrom:\n',
      'S: s\n\n>From here\n>>From there\n>>From\n> From\nFrom\nFrom:\n\n',
    ],
    ['S: s\n\nlone\rcr\r\r\nend\r', 'S: s\n\nlone\rcr\r\nend\r\n\n'],
    ['', '\n'],
  ])('should write %j', async (message, expected) => {
    expect(await write(message)).toBe(FROM_LINE + expected);
  });

  it('should not depend on where the message is cut', async () => {
    const pieces = [
      'From ',
      '>',
      'Fro',
      'F',
      '\r\n',
      '\n',
      '\r',
      'x',
      '\r\n\r\n',
      'Subject: s\r\n',
      '\nFrom ',
    ];
    let state = 3;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (state >> 8) % below;
    };
    for (let round = 0; round < 1_000; round++) {
      const message = Array.from(
        { length: 1 + random(40) },
        () => pieces[random(pieces.length)] as string,
      ).join('');
      const chunks: string[] = [];
      for (let pos = 0; pos < message.length;) {
        const size = 1 + random(6);
        chunks.push(message.slice(pos, pos + size));
        pos += size;
      }
      const expected = oracle(message);
      expect([message, await write(message)]).toEqual([message, expected]);
      expect([message, await write(...chunks)]).toEqual([message, expected]);
    }
  });

  it('should be reversible by removing one > and the empty line', async () => {
    const body = 'From a\r\n>From b\r\n>>From c\r\n\r\nFrom d\r\n';
    const written = await write(`Subject: s\r\n\r\n${body}`);
    const read = written
      .slice(FROM_LINE.length, -1)
      .replace(/^>(>*From )/gm, '$1')
      .replaceAll('\n', '\r\n');
    expect(read).toBe(`Subject: s\r\n\r\n${body}`);
  });
});

describe('a missing mail', () => {
  it.each(['missing' as const, async () => 'missing' as const])(
    'should cause an error: %p',
    async (content) => {
      const batches = async function* (): AsyncGenerator<MailContent[]> {
        yield [{ mail, content }];
      };
      await expect(mboxOf(batches(), HERE).next()).rejects.toThrow('missing');
    },
  );
});

describe('a mail that is streamed', () => {
  it('should be closed when it is not read', async () => {
    const content = new Readable({ read: () => undefined });
    const batches = async function* (): AsyncGenerator<MailContent[]> {
      yield [{ mail, content: async () => content }];
    };
    const sut = mboxOf(batches(), HERE);
    expect(Buffer.concat((await sut.next()).value as Buffer[]).toString()).toBe(FROM_LINE);
    await sut.return(undefined);
    expect(content.destroyed).toBe(true);
  });
});

describe('mboxEntry', () => {
  it('should write a message that needs no quoting exactly as the quoter does', () => {
    for (const text of [
      '',
      '\n',
      'a: b\r\n\r\nbody',
      'x\r',
      '\r\r\n\r',
      'a: \u00e9\r\n\r\n\u00ff\r\n',
      'From',
      'a\rb\n\r\n',
    ]) {
      const bytes = Buffer.from(text, 'latin1');
      const quoter = new MboxQuoter();
      const expected = Buffer.concat([Buffer.from(FROM_LINE), quoter.write(bytes), quoter.end()]);
      expect(Buffer.concat(mboxEntry(bytes, envelope))).toEqual(expected);
    }
  });
});

describe('MboxQuoter', () => {
  it('should hold back almost nothing', () => {
    const quoter = new MboxQuoter();
    quoter.write(Buffer.from('S: s\n\n'));
    expect(quoter.write(Buffer.alloc(1_000_000, '>'))).toHaveLength(1_000_000);
    expect(quoter.write(Buffer.from('From'))).toHaveLength(0);
    expect(quoter.write(Buffer.from(' x')).toString()).toBe('>From x');
  });
});
