import type { MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { BulkAction, needsLabel, requestChange, targetOf } from './bulk-action';

describe('targetOf', () => {
  it.each([
    [BulkAction.Trash, undefined, { kind: 'labelled', labelId: 'TRASH' }],
    [BulkAction.Delete, undefined, { kind: 'deleted' }],
    [BulkAction.Archive, undefined, { kind: 'unlabelled', labelId: 'INBOX' }],
    [BulkAction.MarkRead, undefined, { kind: 'unlabelled', labelId: 'UNREAD' }],
    [BulkAction.MarkUnread, undefined, { kind: 'labelled', labelId: 'UNREAD' }],
    [BulkAction.Label, 'Label_1', { kind: 'labelled', labelId: 'Label_1' }],
    [BulkAction.Unlabel, 'Label_1', { kind: 'unlabelled', labelId: 'Label_1' }],
    [BulkAction.Move, 'Label_1', { kind: 'moved', labelId: 'Label_1', fromLabelId: 'INBOX' }],
  ])('should return the target state of %s', (action, labelId, target) => {
    expect(targetOf(action, labelId)).toEqual(target);
  });

  it('should not accept label and unlabel without a label', () => {
    expect(() => targetOf(BulkAction.Label)).toThrow(TypeError);
    expect(() => targetOf(BulkAction.Unlabel)).toThrow(TypeError);
    expect(() => targetOf(BulkAction.Move)).toThrow(TypeError);
  });
});

describe('needsLabel', () => {
  it('should be true only for label, unlabel and move', () => {
    expect(Object.values(BulkAction).filter(needsLabel)).toEqual(['label', 'unlabel', 'move']);
  });
});

describe('requestChange', () => {
  const requested = async (action: BulkAction, labelId?: string) => {
    const calls: unknown[] = [];
    const record =
      (name: string) =>
      async (...given: unknown[]): Promise<void> => {
        calls.push([name, ...given.slice(0, -1)]);
      };
    const provider = { modify: record('modify'), trash: record('trash'), delete: record('delete') };
    await requestChange(
      provider as unknown as MailboxProvider,
      action,
      targetOf(action, labelId),
      ['a', 'b'],
      { priority: 'background' },
    );
    return calls;
  };

  it.each([
    [BulkAction.Trash, undefined, ['trash', ['a', 'b']]],
    [BulkAction.Delete, undefined, ['delete', ['a', 'b']]],
    [BulkAction.Archive, undefined, ['modify', ['a', 'b'], { add: [], remove: ['INBOX'] }]],
    [BulkAction.MarkRead, undefined, ['modify', ['a', 'b'], { add: [], remove: ['UNREAD'] }]],
    [BulkAction.MarkUnread, undefined, ['modify', ['a', 'b'], { add: ['UNREAD'], remove: [] }]],
    [BulkAction.Label, 'L', ['modify', ['a', 'b'], { add: ['L'], remove: [] }]],
    [BulkAction.Unlabel, 'L', ['modify', ['a', 'b'], { add: [], remove: ['L'] }]],
    [BulkAction.Move, 'L', ['modify', ['a', 'b'], { add: ['L'], remove: ['INBOX'] }]],
  ])('should make a single call for %s', async (action, labelId, call) => {
    expect(await requested(action, labelId)).toEqual([call]);
  });
});
