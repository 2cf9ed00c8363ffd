import type { ArchivedCopy } from '../../archive/mails/holds/archived-copies';
import { blockReasonOf, BlockReason, Candidate } from './block-reasons';

const COPY: ArchivedCopy = {
  mailId: 'mail',
  messageId: 'message',
  messageIdHeader: null,
  contentSha256: 'a'.repeat(64),
  fileSha256: 'a'.repeat(64),
  storage: 'local',
  storageKey: 'key',
  sizeBytes: 1,
  date: new Date(0),
  ageingFrom: new Date(0),
  labelIds: [],
  isEncrypted: false,
};
const WHOLE: Candidate = { labelIds: ['INBOX'], copy: COPY, finding: null, wouldBeRemoved: false };
const NONE = { starred: false, important: false, unread: false };
const ALL = { starred: true, important: true, unread: true };

describe('blockReasonOf', () => {
  it.each<[BlockReason | null, Partial<Candidate>]>([
    [null, {}],
    ['gone', { labelIds: null }],
    ['in-trash', { labelIds: ['TRASH', 'STARRED'] }],
    ['draft', { labelIds: ['DRAFT'] }],
    ['starred', { labelIds: ['UNREAD', 'STARRED'] }],
    ['important', { labelIds: ['IMPORTANT'] }],
    ['unread', { labelIds: ['UNREAD'] }],
    ['not-archived', { copy: null }],
    ['copy-missing', { finding: 'missing' }],
    ['copy-altered', { finding: 'altered' }],
    ['provider-differs', { finding: 'differs' }],
    ['content-unknown', { copy: { ...COPY, contentSha256: null, isEncrypted: true } }],
    ['policy-would-remove', { wouldBeRemoved: true }],
  ])('should be %s for %o', (reason, facts) => {
    expect(blockReasonOf({ ...WHOLE, ...facts }, NONE)).toBe(reason);
  });

  it('should allow marked messages where a plan does, but never drafts', () => {
    const labelIds = ['STARRED', 'IMPORTANT', 'UNREAD'];
    expect(blockReasonOf({ ...WHOLE, labelIds }, ALL)).toBeNull();
    expect(blockReasonOf({ ...WHOLE, labelIds }, { ...ALL, important: false })).toBe('important');
    expect(blockReasonOf({ ...WHOLE, labelIds: ['DRAFT'] }, ALL)).toBe('draft');
    expect(blockReasonOf({ ...WHOLE, labelIds: ['TRASH'] }, ALL)).toBe('in-trash');
  });
});
