import { describe, expect, it } from 'vitest';
import { sortScores, RATED_FROM, type SenderOrder } from './sender-order';

const score = (sender: string, emailCount: number, readRate: number, clutterScore: number) => ({
  sender,
  emailCount,
  totalSizeBytes: 1,
  unreadCount: Math.round(emailCount * (1 - readRate)),
  hasUnsubscribe: false,
  readRate,
  clutterScore,
});
const SCORES = [
  score('few', RATED_FROM - 1, 0, 20),
  score('many', 90, 0.5, 60),
  score('unread', RATED_FROM, 0, 60),
  score('more unread', 40, 0, 50),
];

describe('sortScores', () => {
  it.each<[SenderOrder, string[]]>([
    ['volume', ['many', 'more unread', 'unread', 'few']],
    ['clutter', ['many', 'unread', 'more unread', 'few']],
    ['read', ['more unread', 'unread', 'many']],
  ])('should order senders by %s', (by, senders) => {
    expect(sortScores(SCORES, by).map(({ sender }) => sender)).toEqual(senders);
  });
});
