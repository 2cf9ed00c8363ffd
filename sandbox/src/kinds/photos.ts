import { deflateSync } from 'node:zlib';
import { draftOf, type Composition, type Draft } from '../generator/draft';
import { attachmentHeaders } from '../generator/header-writer';
import { chunkOf, textPart, wrapBase64, type MimeNode } from '../generator/mime-writer';
import { CONTACTS } from '../generator/people';
import { fillerLines, paragraph } from '../generator/phrases';

/** HTML with images that belong to it by Content-ID: pictures, but not attachments. */
export function composePhotos(composition: Composition): Draft {
  const random = composition.random('envelope');
  const names = Array.from({ length: random.between(1, 3) }, (_, at) => `image00${at + 1}.png`);
  const envelope = {
    from: random.pick(CONTACTS),
    to: [composition.me],
    subject: `Photos ${random.between(1, 31)}/08`,
    attachmentNames: names,
    onlyInlineImages: true,
  };
  return draftOf(composition, envelope, (): MimeNode => {
    const body = composition.random('body');
    const ids = names.map((name) => `${name}@${body.token(12)}`);
    const filler =
      composition.fill > 1500 ? `<p>${fillerLines(body, composition.fill).join('\r\n')}</p>` : '';
    const html = `<html><body><p>${paragraph(body, false, 2)}</p>${filler}${ids.map((id) => `<img src="cid:${id}">`).join('')}</body></html>\r\n`;
    return {
      kind: 'multipart',
      subtype: 'related; type="text/html"',
      boundary: `rel${body.token(20)}`,
      parts: [
        textPart('text/html', html, { encoding: 'quoted-printable' }),
        ...names.map((name, at): MimeNode => ({
          kind: 'leaf',
          headers: [
            ...attachmentHeaders('image/png', name, 'plain', 'inline'),
            `Content-ID: <${ids[at] as string}>`,
            'Content-Transfer-Encoding: base64',
          ],
          body: chunkOf(gradientPart(body.int(32) * 8)),
        })),
      ],
    };
  });
}

const SIDE = 24;

const gradients = new Map<number, Buffer>();

/** The picture as a base64 body; there are only 32, and each is drawn once. */
function gradientPart(shade: number): Buffer {
  let part = gradients.get(shade);
  if (part === undefined) gradients.set(shade, (part = wrapBase64(gradientPng(shade))));
  return part;
}

/** A real 24×24 grey gradient, so that a mail reader shows something. */
function gradientPng(shade: number): Buffer {
  const pixels = Buffer.alloc((SIDE + 1) * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) pixels[y * (SIDE + 1) + 1 + x] = (shade + x * 4 + y * 3) & 0xff;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    // Stored, not compressed: compressed bytes differ between zlib versions.
    pngChunk('IDAT', deflateSync(pixels, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
