import type { Schemas } from '@mailroom/sdk';

type Score = Schemas['SenderScoreResponse'];

export const SENDER_ORDERS = ['volume', 'read', 'clutter'] as const;
export type SenderOrder = (typeof SENDER_ORDERS)[number];

/** Number of messages from which the read rate of a sender is meaningful. */
export const RATED_FROM = 5;

/** @returns a new list; by `read` without senders of few messages */
export function sortScores(scores: readonly Score[], by: SenderOrder): Score[] {
  const byVolume = (one: Score, other: Score): number => other.emailCount - one.emailCount;
  if (by === 'volume') return scores.toSorted(byVolume);
  if (by === 'clutter')
    return scores.toSorted((one, other) => other.clutterScore - one.clutterScore || byVolume(one, other));
  return scores
    .filter(({ emailCount }) => emailCount >= RATED_FROM)
    .toSorted((one, other) => one.readRate - other.readRate || byVolume(one, other));
}
