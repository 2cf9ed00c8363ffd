import type { MessageWithParts } from '../../mailbox/index/indexed-messages';
import type { MessagePart } from '../../providers/port/mailbox-provider.port';
import { LARGE_BYTES, largeAttachments } from './live-attachments.service';

const aPart = (fields: Partial<MessagePart> = {}): MessagePart => ({
  partId: '1',
  filename: 'a.pdf',
  mimeType: 'application/pdf',
  sizeBytes: LARGE_BYTES + 1,
  isInline: false,
  ...fields,
});

const aMessage = (id: string, ...parts: MessagePart[]): MessageWithParts => ({
  id,
  internalDate: new Date('2025-11-21T08:00:00Z'),
  subject: 'Report',
  from: 'Grace <grace@example.org>',
  sizeEstimate: 1_000_000,
  parts,
});

const sut = (...messages: MessageWithParts[]): string[] =>
  largeAttachments(messages).map(({ message, partId, sizeBytes }) => `${message.id}/${partId} ${sizeBytes}`);

describe('largeAttachments', () => {
  it.each<[string, Partial<MessagePart>, number]>([
    ['list a file above 100 KiB', {}, 1],
    ['leave out a file of 100 KiB', { sizeBytes: LARGE_BYTES }, 0],
    ['leave out an image shown inside the text', { isInline: true, mimeType: 'image/png' }, 0],
    ['leave out a part without a name', { filename: '' }, 0],
  ])('should %s', (_, fields, count) => {
    expect(sut(aMessage('m', aPart(fields)))).toHaveLength(count);
  });

  it('should list the largest first, and those of equal size in their original order', () => {
    expect(
      sut(
        aMessage('newer', aPart({ sizeBytes: 200_000 }), aPart({ partId: '2', sizeBytes: 500_000 })),
        aMessage('empty'),
        aMessage('older', aPart({ sizeBytes: 300_000 }), aPart({ partId: '2', sizeBytes: 200_000 })),
      ),
    ).toEqual(['newer/2 500000', 'older/1 300000', 'newer/1 200000', 'older/2 200000']);
  });
});
