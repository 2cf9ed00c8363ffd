import { describe, expect, it } from 'vitest';
import {
  conditionsOf,
  draftOf,
  emptyCondition,
  FIELDS,
  excludesMarked,
  addMarkedExclusion,
  removeMarkedExclusion,
} from './rule-draft';
import type { Condition } from './rule-text';

describe('the form of a rule', () => {
  it('should return the conditions it was filled with', () => {
    const conditions: Condition[] = [
      { field: 'from', operator: 'not_contains', value: 'shop.example' },
      { field: 'subject', operator: 'equals', value: '30d' },
      { field: 'label', operator: 'not_equals', value: 'STARRED' },
      { field: 'older_than', operator: 'equals', value: '6m' },
      { field: 'newer_than', operator: 'equals', value: '9999d' },
      { field: 'size_gt', operator: 'gt', value: 5 * 1024 * 1024 },
      { field: 'has_attachment', operator: 'is_true', value: false },
    ];
    expect(conditionsOf(conditions.map(draftOf))).toEqual(conditions);
  });

  it('should leave out starred or important messages, once', () => {
    const [sender]: Condition[] = [{ field: 'from', operator: 'contains', value: 'shop.example' }];
    const safe = addMarkedExclusion([sender!]);
    expect(safe).toEqual([
      sender,
      { field: 'label', operator: 'not_equals', value: 'STARRED' },
      { field: 'label', operator: 'not_equals', value: 'IMPORTANT' },
    ]);
    expect(addMarkedExclusion(safe)).toEqual(safe);
    expect(excludesMarked(safe)).toBe(true);
    expect(removeMarkedExclusion(safe)).toEqual([sender]);
  });

  it('should show a condition about a mark where the rule leaves out nothing else', () => {
    for (const conditions of [
      [{ field: 'label', operator: 'not_equals', value: 'STARRED' }],
      addMarkedExclusion([]),
    ] as Condition[][]) {
      expect(excludesMarked(conditions)).toBe(false);
      expect(removeMarkedExclusion(conditions)).toEqual(conditions);
    }
  });

  it('should have no conditions while one is incomplete', () => {
    expect(conditionsOf([])).toBeNull();
    for (const field of FIELDS.filter((field) => field !== 'has_attachment'))
      expect(conditionsOf([emptyCondition(1, field)]), field).toBeNull();
    expect(conditionsOf([{ ...emptyCondition(1, 'from'), text: ' a@b.example ' }])).toEqual([
      { field: 'from', operator: 'contains', value: 'a@b.example' },
    ]);
  });
});
