import type { RepeatedSubject, SenderTotals } from '../../mailbox/index/indexed-messages';
import { findSuggestions } from './suggestions';

const MIB = 1024 * 1024;

const sender = (changes: Partial<SenderTotals>): SenderTotals => ({
  email: 'news@shop.test',
  name: 'Shop',
  count: 30,
  bytes: 30_000,
  unread: 0,
  unreadBytes: 0,
  newsletters: 0,
  promotions: 0,
  newest: new Date(),
  ...changes,
});

const series = (changes: Partial<RepeatedSubject>): RepeatedSubject => ({
  email: 'ci@shop.test',
  name: 'CI',
  subjectKey: '-42',
  subject: 'Build 17 failed',
  count: 12,
  bytes: 24_000,
  newest: new Date(),
  ...changes,
});

const typesOf = (changes: Partial<SenderTotals>): string[] =>
  findSuggestions([sender(changes)], []).map(({ type }) => type);

describe('findSuggestions', () => {
  it.each([
    [{ unread: 19 }, []],
    [{ unread: 20, unreadBytes: 9 }, ['bulk_unread']],
    // 18 + 5 + 0 points and no unsubscribe are not enough, 20 more are.
    [{ bytes: 10 * MIB + 1 }, []],
    [{ bytes: 10 * MIB + 1, promotions: 1 }, ['large_sender']],
    [{ bytes: 10 * MIB, promotions: 1 }, []],
    [{ newsletters: 1, count: 10, unread: 7 }, []],
    [{ newsletters: 1, count: 10, unread: 8 }, ['old_newsletters']],
    [{ newsletters: 1, count: 4, unread: 4 }, []],
    [{ newsletters: 1, count: 5, unread: 5 }, ['old_newsletters']],
    [{ promotions: 5, count: 5, unread: 5 }, []],
    [{ email: 'me', unread: 30 }, []],
  ])('should find in %j: %j', (changes, types) => {
    expect(typesOf(changes)).toEqual(types);
  });

  it('should count and select only unread mails where the suggestion is about them', () => {
    const [first, second] = findSuggestions(
      [sender({ count: 40, unread: 30, unreadBytes: 20_000, newsletters: 40 })],
      [],
    );
    expect(first).toMatchObject({
      type: 'old_newsletters',
      emailCount: 40,
      totalSizeBytes: 30_000,
      query: 'from:(news@shop.test)',
      sender: 'Shop <news@shop.test>',
    });
    expect(second).toMatchObject({
      type: 'bulk_unread',
      emailCount: 30,
      totalSizeBytes: 20_000,
      query: 'from:(news@shop.test) is:unread',
      title: '30 unread mails from Shop',
    });
  });

  it('should select a series by the words of its subjects', () => {
    expect(findSuggestions([], [series({})])).toEqual([
      expect.objectContaining({
        type: 'duplicate_pattern',
        subjectOf: 'ci@shop.test:-42',
        emailCount: 12,
        totalSizeBytes: 24_000,
        query: 'from:(ci@shop.test) subject:("build" "failed")',
      }),
    ]);
  });

  it('should not suggest a series that no query distinguishes from other mail of the sender', () => {
    const wordless = series({ subject: 'abc123' });
    const from = (count: number): SenderTotals => sender({ email: 'ci@shop.test', count });
    expect(findSuggestions([from(13)], [wordless])).toEqual([]);
    expect(findSuggestions([from(12)], [wordless])).toEqual([
      expect.objectContaining({ query: 'from:(ci@shop.test)', emailCount: 12 }),
    ]);
  });

  it('should list the largest first and keep titles short', () => {
    const found = findSuggestions(
      [
        sender({ email: 'a@shop.test', unread: 25, unreadBytes: 5 }),
        sender({ email: 'b@shop.test', name: '🙂'.repeat(500), unread: 25, unreadBytes: 50 }),
      ],
      [],
    );
    expect(found.map(({ totalSizeBytes }) => totalSizeBytes)).toEqual([50, 5]);
    expect([...found[0]!.title].length).toBeLessThan(120);
  });
});
