import { crc32 } from 'node:zlib';

/** Beginnings of files that can be read although other bytes follow, which make them as large as wanted. */

/** Bytes that a ZIP file may have at its end. */
const MAX_COMMENT = 0xffff;

/** A PDF with one page of text in Latin letters. Readers find its parts although there is no table of them. */
export function pdfHead(lines: readonly string[]): Buffer {
  const shown = lines
    .map((line) => `(${line.replace(/[^ -~\xa0-\xff]|[()\\]/g, ' ')}) Tj 0 -16 Td`)
    .join(' ');
  const content = `BT /F 11 Tf 50 780 Td ${shown} ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${body}trailer<</Size 6/Root 1 0 R>>\n%%EOF\n`, 'latin1');
}

/** A Word document (DOCX) with these paragraphs. The bytes that follow are the comment of the ZIP file, so there are at most 65,535. */
export function docxHead(paragraphs: readonly string[], fileBytes: number): Buffer {
  const runs = paragraphs.map((text) => `<w:p><w:r><w:t>${text.replace(/[<&]/g, ' ')}</w:t></w:r></w:p>`);
  const members = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${runs.join('')}</w:body></w:document>`,
  };
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let place = 0;
  for (const [path, xml] of Object.entries(members)) {
    const name = Buffer.from(path);
    const content = Buffer.from(xml);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(content.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const at = Buffer.alloc(14);
    at.writeUInt32LE(place, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, content]);
    locals.push(local);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, at, name]));
    place += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(place, 16);
  const length = place + directory.length + end.length;
  end.writeUInt16LE(Math.min(MAX_COMMENT, Math.max(0, fileBytes - length)), 20);
  return Buffer.concat([...locals, directory, end]);
}
