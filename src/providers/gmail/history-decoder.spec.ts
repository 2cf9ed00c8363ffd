import { decodeHistory } from './history-decoder';

const message = { id: 'm', threadId: 't', labelIds: ['INBOX'] };
const ref = { id: 'm', threadId: 't' };

describe('decodeHistory', () => {
  it.each([
    ['added', { messagesAdded: [{ message }] }, { kind: 'added', message: ref, labelIds: ['INBOX'] }],
    ['deleted', { messagesDeleted: [{ message }] }, { kind: 'deleted', message: ref }],
    [
      'labelled',
      { labelsAdded: [{ message, labelIds: ['STARRED'] }] },
      { kind: 'labels', message: ref, labelIds: ['INBOX'], labelsAdded: ['STARRED'] },
    ],
    [
      'unlabelled, labels not stated',
      { labelsRemoved: [{ message: { id: 'm', threadId: 't' }, labelIds: ['UNREAD'] }] },
      { kind: 'labels', message: ref, labelsRemoved: ['UNREAD'] },
    ],
  ])('%s', (_name, record, change) => {
    expect(decodeHistory([{ id: '1', messages: [message], ...record }])).toEqual([
      { ...change, cursor: '1' },
    ]);
  });

  it('should keep the order of the records', () => {
    const kinds = decodeHistory([
      { messagesAdded: [{ message }] },
      { labelsRemoved: [{ message, labelIds: ['UNREAD'] }] },
      { messagesDeleted: [{ message }] },
    ]).map((change) => change.kind);
    expect(kinds).toEqual(['added', 'labels', 'deleted']);
  });

  it('should accept an empty page', () => {
    expect(decodeHistory(undefined)).toEqual([]);
  });
});
