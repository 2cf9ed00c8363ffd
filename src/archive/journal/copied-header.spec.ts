import { readCopiedHeader } from './copied-header';

const header = (...lines: string[]): Buffer => Buffer.from([...lines, '', 'body: x'].join('\r\n'));

describe('readCopiedHeader', () => {
  it('should count hops and find what the header says of the message', () => {
    const raw = header(
      'Received: from a by b;',
      ' Sun, 1 Mar 2026 08:00:00 +0000',
      'RECEIVED : from c',
      'X-Received: by d',
      'Message-ID:',
      ' <1@example.com>',
      'x-ms-journal-report:',
      'X-Gm-Original-To: bob@example.com',
      'Delivered-To: <carol@example.com>',
      'X-Original-To: bob@example.com',
      'To: dan@example.com',
    );
    expect(readCopiedHeader(raw)).toEqual({
      hops: 2,
      isReport: true,
      messageId: '<1@example.com>',
      recipients: ['bob@example.com', 'carol@example.com'],
    });
  });

  it('should read addresses in UTF-8, as headers of RFC 6532 have them', () => {
    const { recipients } = readCopiedHeader(header('X-Original-To: Zoë <zoë@exämple.com>'));
    expect(recipients).toEqual(['zoë@exämple.com']);
  });

  it('should end with the header', () => {
    const raw = Buffer.from('Subject: x\r\n\r\nReceived: no\r\nX-MS-Journal-Report: no\r\n');
    expect(readCopiedHeader(raw)).toEqual({ hops: 0, isReport: false, messageId: null, recipients: [] });
  });

  it('should read LF as well, and what has no end', () => {
    expect(readCopiedHeader(Buffer.from('Received: a\nReceived: b')).hops).toBe(2);
    expect(readCopiedHeader(Buffer.alloc(0)).hops).toBe(0);
    expect(readCopiedHeader(Buffer.from('\n\nReceived: a')).hops).toBe(0);
  });
});
