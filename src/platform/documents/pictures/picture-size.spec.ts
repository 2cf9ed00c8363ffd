import { pictureSizes } from './picture-size';

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/\s/g, ''), 'hex');

describe('pictureSizes', () => {
  it.each([
    ['PNG', '89504e470d0a1a0a 0000000d 49484452 00000320 00000258', [{ width: 800, height: 600 }]],
    ['GIF', '474946383961 2003 5802', [{ width: 800, height: 600 }]],
    ['JPEG', 'ffd8 ffe00004 0000 ffc00011 08 0258 0320 03', [{ width: 800, height: 600 }]],
    ['progressive JPEG', 'ffd8 ffdb0004 0000 ffff c20011 08 0258 0320 03', [{ width: 800, height: 600 }]],
    [
      'BMP',
      `424d ${'00'.repeat(12)} 28000000 20030000 a8fdffff ${'00'.repeat(20)}`,
      [{ width: 800, height: 600 }],
    ],
    [
      'lossy WebP',
      `52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802`,
      [{ width: 800, height: 600 }],
    ],
    [
      'lossless WebP',
      `52494646 00000000 57454250 5650384c 00000000 2f 1fc39500`,
      [{ width: 800, height: 600 }],
    ],
    [
      'extended WebP',
      `52494646 00000000 57454250 56503858 00000000 00000000 1f0300 570200`,
      [{ width: 800, height: 600 }],
    ],
    [
      'TIFF with two pages',
      `49492a00 08000000
       0200 0001 0300 01000000 20030000 0101 0400 01000000 58020000 26000000
       0200 0001 0300 01000000 90010000 0101 0300 01000000 2c010000 00000000`,
      [
        { width: 800, height: 600 },
        { width: 400, height: 300 },
      ],
    ],
    [
      'TIFF of a Macintosh',
      '4d4d002a 00000008 0001 0100 0003 00000001 03200000 00000000',
      [{ width: 800, height: 0 }],
    ],
    ['TIFF whose pages go round', '49492a00 08000000 0000 08000000', [{ width: 0, height: 0 }]],
    ['text that begins like a BMP', Buffer.from('BMW for sale, as good as new').toString('hex'), []],
    ['PNG that ends in its header', '89504e470d0a1a0a 0000000d 4948', []],
    ['JPEG without a frame', 'ffd8 ffe00004 0000 ffd9', []],
    ['PDF', Buffer.from('%PDF-1.7').toString('hex'), []],
    ['empty file', '', []],
  ])('should read the sizes of a %s', (_format, hex, expected) => {
    expect(pictureSizes(bytes(hex))).toEqual(expected);
  });
});
