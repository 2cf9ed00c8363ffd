import { simpleParser } from 'mailparser';
import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { leavesOf } from './attachment-parts';
import { Defects } from './defects';
import { type MimeEntity, readMimeTree } from './mime-tree';
import { parseMessage } from './parse-message';
import { transferDecoder } from './transfer-decoder';

allowForExamples();

/** A message to be written: what each part holds, and how. */
type Plan =
  | { readonly content: Buffer; readonly encoding: 'base64' | 'quoted-printable' | '8bit' }
  | { readonly preamble: string; readonly parts: readonly Plan[]; readonly closed: boolean };

interface Written {
  readonly raw: Buffer;
  /** Positions and content of the leaves' bodies, in order. */
  readonly bodies: { readonly start: number; readonly end: number; readonly content: Buffer }[];
}

/** Every boundary is the beginning of those of the multiparts written after it. */
const boundaryOf = (number: number): string => `=_${'x'.repeat(number)}`;
/** Looks like boundaries without being one. */
const NEARLY = ['--', '-', '=_', '--=_', '--=_ x', 'x', '\0', '\xff', 'From ', ' ', '='];

const content = (eol: string): fc.Arbitrary<Buffer> =>
  fc
    .array(fc.constantFrom(...NEARLY, eol, eol), { maxLength: 12 })
    .map((pieces) => Buffer.from(pieces.join('').replace(/--=_(?=x)/g, '--_'), 'latin1'));

const { plan } = fc.letrec<{ plan: Plan; leaf: Plan; multipart: Plan }>((tie) => ({
  plan: fc.oneof({ maxDepth: 4, depthSize: 'small' }, tie('leaf'), tie('multipart')),
  leaf: fc.record({
    content: content('\r\n'),
    encoding: fc.constantFrom('base64', 'quoted-printable', '8bit'),
  }),
  multipart: fc.record({
    preamble: fc.constantFrom('', '\r\n', 'This is MIME.\r\n', '--\r\n', '--=_\r\n'),
    parts: fc.array(tie('plan'), { minLength: 1, maxLength: 4 }),
    closed: fc.boolean(),
  }),
}));

function encoded(body: Buffer, encoding: string): Buffer {
  if (encoding === '8bit') return body;
  if (encoding === 'base64') return Buffer.from(body.toString('base64').replace(/.{76}/g, '$&\r\n'));
  const text = Array.from(body, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return Buffer.from(text.replace(/.{72}/g, '$&=\r\n'));
}

/** Writes the message and notes down where each body begins and ends. */
function write(root: Plan): Written {
  const pieces: Buffer[] = [];
  const bodies: Written['bodies'] = [];
  let length = 0;
  let boundaries = 0;
  const add = (piece: string | Buffer): void => {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece, 'latin1');
    pieces.push(bytes);
    length += bytes.length;
  };
  const addEntity = (entity: Plan): void => {
    if ('content' in entity) {
      add(
        `Content-Type: application/octet-stream; name=n${bodies.length}\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: ${entity.encoding}\r\n\r\n`,
      );
      const start = length;
      add(encoded(entity.content, entity.encoding));
      bodies.push({ start, end: length, content: entity.content });
      return;
    }
    const boundary = boundaryOf((boundaries += 1));
    add(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n${entity.preamble}`);
    entity.parts.forEach((part, index) => {
      add(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n`);
      addEntity(part);
    });
    // A part without a closing boundary ends where its parent goes on.
    if (entity.closed) add(`\r\n--${boundary}--`);
  };
  addEntity(root);
  return { raw: Buffer.concat(pieces, length), bodies };
}

const decoded = (raw: Buffer, { bodyStart, bodyEnd, encoding }: MimeEntity): Buffer => {
  const decoder = transferDecoder(encoding);
  return Buffer.concat([decoder.write(raw.subarray(bodyStart, bodyEnd)), decoder.end()]);
};

/** Checks the properties of every tree, whatever it was read from. */
function expectWellFormed(raw: Buffer, entity: MimeEntity, within: { start: number; end: number }): void {
  expect(entity.bodyStart).toBeGreaterThanOrEqual(within.start);
  expect(entity.bodyEnd).toBeGreaterThanOrEqual(entity.bodyStart);
  expect(entity.bodyEnd).toBeLessThanOrEqual(within.end);
  let start = entity.bodyStart;
  for (const child of entity.children ?? []) {
    expectWellFormed(raw, child, { start, end: entity.bodyEnd });
    start = child.bodyEnd;
  }
}

const PIECES = [
  'Content-Type: multipart/mixed; boundary=b\r\n',
  'Content-Type: multipart/alternative; boundary="b"\n',
  'Content-Type: multipart/digest; boundary=bb\r\n\r\n',
  'Content-Type: message/rfc822\r\n\r\n',
  'Content-Type: text/html\n\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Disposition: attachment; filename=x\r\n',
  '\r\n--b\r\n', '\n--b\n', '--b--', '\r\n--bb\r\n', '\r\n--bb--\r\n', '\r--b\r', '--b \t\r\n', '--b--\n', '\r\n\r\n', '\n', '\r',
  'text', 'QUJD', '=41', '\0',
]; // prettier-ignore

describe('the parts of a message', () => {
  it('should be exactly the bytes that were written, however they are nested and encoded', () => {
    holds(
      250,
      fc.property(plan, (root) => {
        const { raw, bodies } = write(root);
        const leaves = leavesOf(readMimeTree(raw, new Defects()));
        expect(leaves.map(({ bodyStart, bodyEnd }) => [bodyStart, bodyEnd])).toEqual(
          bodies.map(({ start, end }) => [start, end]),
        );
        leaves.forEach((leaf, index) => {
          expect(decoded(raw, leaf)).toEqual(bodies[index]?.content);
        });
      }),
    );
  });

  it('should have their decoded sizes', () => {
    holds(
      60,
      fc.property(plan, (root) => {
        const { raw, bodies } = write(root);
        const { attachments } = parseMessage(raw);
        expect(attachments.map(({ sizeBytes, filename }) => [filename, sizeBytes])).toEqual(
          bodies.map(({ content }, index) => [`n${index}`, content.length]),
        );
      }),
    );
  });

  it('should match those of an independent parser', async () => {
    await holds(
      60,
      fc.asyncProperty(plan, async (root) => {
        const { raw } = write(closed(root));
        const theirs = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true });
        const ours = leavesOf(readMimeTree(raw, new Defects()));
        expect(theirs.attachments.map(({ content }) => content.toString('hex'))).toEqual(
          ours.map((leaf) => decoded(raw, leaf).toString('hex')),
        );
      }),
    );
  });

  it.each([
    ['mixtures', mixtureOf(PIECES, 25)],
    ['anything', anyUtf16(200)],
  ])('should be in order and nested within each other in %s', (_what, texts) => {
    holds(
      300,
      fc.property(texts, (text) => {
        const raw = Buffer.from(text, 'latin1');
        const root = readMimeTree(raw, new Defects());
        expectWellFormed(raw, root, { start: 0, end: raw.length });
        const leaves = leavesOf(root);
        // The leaves' bodies and the text between them make up the message.
        let end = 0;
        const pieces = leaves.flatMap((leaf) => {
          const piece = [raw.subarray(end, leaf.bodyStart), raw.subarray(leaf.bodyStart, leaf.bodyEnd)];
          end = leaf.bodyEnd;
          return piece;
        });
        expect(Buffer.concat([...pieces, raw.subarray(end)]).equals(raw)).toBe(true);
        expect(new Set(leaves.map(({ partId }) => partId)).size).toBe(leaves.length);
      }),
    );
  });

  it('should be found up to where a message was cut off', () => {
    holds(
      100,
      fc.property(plan, fc.double({ min: 0, max: 1, noNaN: true }), (root, share) => {
        const { raw, bodies } = write(root);
        const at = Math.floor(raw.length * share);
        const cut = raw.subarray(0, at);
        const leaves = leavesOf(readMimeTree(cut, new Defects()));
        const whole = bodies.filter(({ end }) => end + 4 < at).slice(0, -1);
        expect(
          leaves.slice(0, whole.length).map(({ bodyStart, bodyEnd }) => ({ bodyStart, bodyEnd })),
        ).toEqual(whole.map(({ start, end }) => ({ bodyStart: start, bodyEnd: end })));
      }),
    );
  });
});

/** The same message with every multipart closed and no part empty: of the rest parsers think differently. */
function closed(entity: Plan): Plan {
  if (!('content' in entity)) return { ...entity, parts: entity.parts.map(closed), closed: true };
  return entity.content.length > 0 ? entity : { ...entity, content: Buffer.from('x') };
}
