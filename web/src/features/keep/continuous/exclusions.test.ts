import { describe, expect, it } from 'vitest';
import { exclusionsOf, fieldsOf, isSender } from './exclusions';

describe('exclusions', () => {
  it('should be the same after a round trip through the form', () => {
    const exclusions = [
      'spam',
      'drafts',
      'larger_than:26214400',
      'younger_than:3d',
      'sender:@news.example',
      'sender:shop@example.org',
      'label:Label_7',
      'older_than:3650d',
      'younger_than:12h',
    ];
    expect(fieldsOf(exclusions)).toMatchObject({
      spam: true,
      trash: false,
      drafts: true,
      largerThan: 25,
      youngerThan: 3,
      senders: ['@news.example', 'shop@example.org'],
      others: ['label:Label_7', 'older_than:3650d', 'younger_than:12h'],
    });
    expect(exclusionsOf(fieldsOf(exclusions))).toEqual(exclusions);
  });

  it('should be empty when nothing is filled in', () => {
    expect(exclusionsOf(fieldsOf([]))).toEqual([]);
  });

  it('should accept addresses and domains as senders', () => {
    expect(['shop@example.org', '@news.example', ' A@B.example '].every(isSender)).toBe(true);
    expect(['shop', '@', 'a b@example.org', 'shop@example'].some(isSender)).toBe(false);
  });
});
