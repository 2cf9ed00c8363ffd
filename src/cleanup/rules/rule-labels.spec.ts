import { requireActionLabel } from './rule-labels';
import { LabelLookup } from '../../mailbox/labels/label-lookup';

describe('requireActionLabel', () => {
  const labels = LabelLookup.of([{ id: 'Label_1', name: 'Work', type: 'user' }]);

  it.each([
    ['label', 'Label_1'],
    ['unlabel', 'Label_1'],
    ['label', 'STARRED'],
    ['label', 'INBOX'],
    ['unlabel', 'CATEGORY_PROMOTIONS'],
    ['unlabel', 'TRASH'],
    ['trash', undefined],
    ['archive_nas', undefined],
  ] as const)('should accept %s %s', (type, labelId) => {
    expect(() => requireActionLabel({ type, labelId }, labels)).not.toThrow();
  });

  it.each([
    ['label', undefined],
    ['label', 'Label_2'],
    // Actions refer to labels by id only.
    ['label', 'Work'],
    ['label', 'inbox'],
    ['unlabel', 'SENT'],
    ['label', 'DRAFT'],
    ['label', 'TRASH'],
    ['label', 'SPAM'],
  ] as const)('should refuse %s %s', (type, labelId) => {
    expect(() => requireActionLabel({ type, labelId }, labels)).toThrow(
      expect.objectContaining({
        status: 400,
        errors: [expect.objectContaining({ field: 'action.labelId' })],
      }),
    );
  });
});
