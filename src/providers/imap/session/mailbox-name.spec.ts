import { decodeModifiedUtf7, encodeModifiedUtf7 } from './mailbox-name';

describe('decodeModifiedUtf7', () => {
  it.each([
    ['Entw&APw-rfe', 'Entwürfe'],
    ['&ZeVnLIqe-', '日本語'],
    ['a&-b', 'a&b'],
    ['&2D3eAA-', '😀'],
    ['plain & simple', 'plain & simple'],
  ])('should read %s', (text, decoded) => expect(decodeModifiedUtf7(text)).toBe(decoded));
});

describe('encodeModifiedUtf7', () => {
  it.each(['INBOX', 'Entwürfe', 'R&D', '日本/語', 'a&b-c,d'])(
    'should write %s so that it is read back unchanged',
    (name) => {
      const encoded = encodeModifiedUtf7(name);
      expect(encoded).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeModifiedUtf7(encoded)).toBe(name);
    },
  );
});
