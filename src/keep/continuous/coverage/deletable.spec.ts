import type { MessageEvidence } from '../ledger/coverage.repository';
import { judgeDeletion } from './deletable';

const verified: MessageEvidence = {
  messageId: 'm',
  class: 'verified',
  reason: null,
  labels: ['INBOX'],
  mailId: 'mail',
  mailAgeingFrom: new Date('2026-01-01'),
  mailLabels: ['INBOX'],
  isGone: false,
};
const never = (): boolean => false;
const on = (message: Partial<MessageEvidence>, exact = true, wouldRemove = never) =>
  judgeDeletion({ ...verified, ...message }, { exact }, wouldRemove);

describe('judgeDeletion', () => {
  it('should allow the deletion of a verified message, with notes', () => {
    expect(on({ labels: ['INBOX', 'UNREAD', 'STARRED', 'IMPORTANT'] })).toEqual({
      messageId: 'm',
      deletable: true,
      reasons: [],
      notes: ['starred', 'important', 'unread'],
    });
  });

  it.each<[string, Partial<MessageEvidence>, string]>([
    ['unknown', { class: null, mailId: null }, 'not-archived'],
    ['gone', { class: null, isGone: true }, 'gone'],
    ['pending', { class: 'pending', mailId: null }, 'not-archived'],
    ['excluded', { class: 'excluded', mailId: null }, 'not-archived'],
    ['failed', { class: 'failed', reason: 'provider-rejected', mailId: null }, 'not-archived'],
    ['failed: the copy is lost', { class: 'failed', reason: 'copy-missing' }, 'copy-missing'],
    ['failed: the copy is another', { class: 'failed', reason: 'copy-altered' }, 'copy-altered'],
    ['archived, and not hashed again', { class: 'archived' }, 'not-verified'],
    ['a draft', { labels: ['DRAFT'] }, 'draft'],
    ['in the trash', { labels: ['TRASH'] }, 'in-trash'],
  ])('should keep a message that is %s', (_what, message, reason) => {
    expect(on(message)).toMatchObject({ deletable: false, reasons: [reason] });
  });

  it('should keep everything while the ledger is not exact', () => {
    expect(on({}, false)).toMatchObject({ deletable: false, reasons: ['coverage-not-exact'] });
  });

  it('should keep a message whose copy a policy would remove', () => {
    expect(on({}, true, () => true)).toMatchObject({ deletable: false, reasons: ['policy-would-remove'] });
  });
});
