import { pictureSizes } from '../../../src/platform/documents/pictures/picture-size';

/** A page with a text, a picture in colour that fills it, or both. */
export interface BuiltPage {
  readonly text?: string;
  readonly jpeg?: Buffer;
}

/** A PDF with a page for each text. */
export const pdfWith = (texts: readonly string[]): Buffer => pdfWithPages(texts.map((text) => ({ text })));

/** A PDF with these pages. */
export function pdfWithPages(pages: readonly BuiltPage[]): Buffer {
  const first = 4;
  const kids = pages.map((_, index) => `${first + 3 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, index) => objectsOf(page, first + 3 * index)),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1');
}

/** A page, its content and its picture. */
function objectsOf({ text, jpeg }: BuiltPage, id: number): string[] {
  const [size] = jpeg ? pictureSizes(jpeg) : [];
  const { width, height } = size ?? { width: 600, height: 800 };
  const content = [
    size ? `q ${width} 0 0 ${height} 0 0 cm /Scan Do Q` : '',
    text === undefined ? '' : `BT /F1 12 Tf 50 ${height - 100} Td (${text}) Tj ET`,
  ].join(' ');
  const picture = size
    ? `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8
 /Filter /DCTDecode /Length ${jpeg!.length} >>\nstream\n${jpeg!.toString('latin1')}\nendstream`
    : 'null';
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${id + 1} 0 R
 /Resources << /Font << /F1 3 0 R >> ${size ? `/XObject << /Scan ${id + 2} 0 R >>` : ''} >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    picture,
  ];
}
