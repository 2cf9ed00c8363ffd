import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readContainedPart, readMessage } from '../contained-parts';
import { Defects } from '../defects';
import { parseMessage } from '../parse-message';
import { readCms } from './cms';
import { readProtection } from './protection';

const FIXTURES = join(__dirname, '../../../../test/fixtures/smime');
const read = (name: string): Buffer => readFileSync(join(FIXTURES, `${name}.eml`));
const protectionOf = (raw: Buffer): ReturnType<typeof readProtection> =>
  readProtection(readMessage(raw, new Defects()));

/** The message with other bytes in its signed content. */
function alter(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  if (text.includes('secret plan')) return Buffer.from(text.replace('secret plan', 'secret plaN'), 'latin1');
  const headerEnd = /\r?\n\r?\n/.exec(text);
  const start = (headerEnd?.index ?? 0) + (headerEnd?.[0].length ?? 0);
  const content = Buffer.from(text.slice(start), 'base64')
    .toString('latin1')
    .replace('secret plan', 'secret plaN');
  const encoded = Buffer.from(content, 'latin1')
    .toString('base64')
    .replace(/(.{64})/g, '$1\n');
  return Buffer.from(text.slice(0, start) + encoded, 'latin1');
}

const SIGNED = ['opaque', 'opaque-in-pieces', 'clear-signed', 'pss', 'ecdsa-without-attributes'];

describe('S/MIME', () => {
  it.each(SIGNED)('should read the content of a signed message as the message: %s', (name) => {
    const parsed = parseMessage(read(name));
    expect(parsed).toMatchObject({
      text: 'The secret plan.',
      snippet: 'The secret plan.',
      hasAttachments: true,
    });
    const names = parsed.attachments.map(({ filename }) => filename).filter((file) => file !== 'smime.p7s');
    expect(names).toEqual(['list.csv']);
    expect(readContainedPart(read(name), '1.2')?.bytes.toString()).toBe('a,b');
  });

  it.each(SIGNED)('should say that a signature fits, and that it no longer does: %s', (name) => {
    expect(protectionOf(read(name))).toEqual({
      isEncrypted: false,
      coversMessage: true,
      signatures: [
        {
          state: 'intact',
          reason: null,
          signer: 'Nora Feld',
          addresses: ['nora@sender.example'],
          issuer: 'Nora Feld',
          isSelfSigned: true,
          isWeak: false,
          isOfSender: true,
        },
      ],
    });
    expect(protectionOf(alter(read(name)))?.signatures).toMatchObject([{ state: 'altered' }]);
  });

  it('should fit whatever line ends a clear-signed message is kept with', () => {
    const lf = Buffer.from(read('clear-signed').toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    expect(protectionOf(lf)?.signatures).toMatchObject([{ state: 'intact' }]);
  });

  it('should say whose signature it is not', () => {
    const raw = read('opaque').toString('latin1').replace('From: nora@', 'From: boss@');
    expect(protectionOf(Buffer.from(raw, 'latin1'))?.signatures).toMatchObject([
      { state: 'intact', isOfSender: false },
    ]);
  });

  it('should show the content of a message without a certificate, and say that nothing is checked', () => {
    expect(parseMessage(read('without-certificate')).text).toBe('The secret plan.');
    expect(protectionOf(read('without-certificate'))?.signatures).toMatchObject([
      { state: 'unchecked', reason: 'no-certificate', signer: null },
    ]);
  });

  it('should say that a message is encrypted, and list its file', () => {
    const raw = read('encrypted');
    expect(protectionOf(raw)).toEqual({ isEncrypted: true, coversMessage: true, signatures: [] });
    expect(parseMessage(raw)).toMatchObject({
      text: '',
      attachments: [{ filename: 'smime.p7m' }],
      defects: [],
    });
  });

  it.each([
    ['the older type', 'application/x-pkcs7-mime; name="smime.p7m"'],
    ['its name alone', 'application/octet-stream; name="smime.p7m"'],
  ])('should be known by %s', (_, type) => {
    const raw = read('opaque')
      .toString('latin1')
      .replace(/application\/pkcs7-mime.*/, type);
    expect(parseMessage(Buffer.from(raw, 'latin1')).text).toBe('The secret plan.');
    expect(protectionOf(Buffer.from(raw, 'latin1'))?.signatures).toMatchObject([{ state: 'intact' }]);
  });

  it('should be read in a part of a list, and cover only that part', () => {
    const [header = '', body = ''] = read('opaque').toString('latin1').split(/\n\n/);
    const type = header.slice(header.indexOf('Content-Disposition'));
    const raw = [
      'Content-Type: multipart/mixed; boundary=l',
      '',
      '--l',
      type,
      '',
      body,
      '--l',
      '',
      'list footer',
      '--l--',
    ];
    expect(parseMessage(Buffer.from(raw.join('\n'), 'latin1')).text).toBe('The secret plan.\n\nlist footer');
    expect(protectionOf(Buffer.from(raw.join('\n'), 'latin1'))).toMatchObject({
      coversMessage: false,
      signatures: [{ state: 'intact' }],
    });
  });

  it('should leave messages without it alone', () => {
    expect(protectionOf(Buffer.from('Subject: x\r\n\r\ntext'))).toBeNull();
  });

  it('should end on any bytes', () => {
    const structures = readdirSync(FIXTURES)
      .map((name) => readFileSync(join(FIXTURES, name)).toString('latin1'))
      .filter((text) => !text.includes('multipart/signed'))
      .map((text) => Buffer.from(text.slice(text.indexOf('\n\n')), 'base64'));
    fc.assert(
      fc.property(
        fc.constantFrom(...structures),
        fc.array(fc.tuple(fc.nat(3_000), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(3_000),
        (structure, changes, length) => {
          const hostile = Buffer.from(structure.subarray(0, length < 600 ? length : undefined));
          for (const [place, byte] of changes) if (place < hostile.length) hostile[place] = byte;
          readCms(hostile, 1_000);
          const header = 'Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: binary\r\n\r\n';
          protectionOf(Buffer.concat([Buffer.from(header), hostile]));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['elements in each other', Buffer.alloc(1_000_000, Buffer.from('3080', 'hex'))],
    ['octet strings in each other', Buffer.alloc(1_000_000, Buffer.from('2480', 'hex'))],
    [
      'many small elements',
      Buffer.concat([Buffer.from('3080', 'hex'), Buffer.alloc(1_000_000, Buffer.from('0500', 'hex'))]),
    ],
    ['a length beyond the end', Buffer.from('3084ffffffff', 'hex')],
  ])('should refuse %s', (_, bytes) => {
    const started = performance.now();
    expect(readCms(bytes, 1_000)).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
