import type { Kind } from './layout';
import { Random, seedOf } from './random';

/** The user labels every generated mailbox begins with. */
export const USER_LABELS = [
  { id: 'Label_1', name: 'Work' },
  { id: 'Label_2', name: 'Travel' },
  { id: 'Label_3', name: 'Travel/2025' },
  { id: 'Label_4', name: 'Receipts' },
  { id: 'Label_5', name: 'Été' },
] as const;

const CATEGORY: Partial<Record<Kind, string>> = {
  conversation: 'CATEGORY_PERSONAL',
  newsletter: 'CATEGORY_PROMOTIONS',
  receipt: 'CATEGORY_UPDATES',
  notification: 'CATEGORY_UPDATES',
  shipping: 'CATEGORY_UPDATES',
  social: 'CATEGORY_SOCIAL',
  discussion: 'CATEGORY_FORUMS',
  photos: 'CATEGORY_PERSONAL',
};
const READ_SHARE: Partial<Record<Kind, number>> = {
  newsletter: 0.35,
  social: 0.5,
  notification: 0.7,
  discussion: 0.4,
  spam: 0.05,
};

/**
 * The labels a message starts with.
 * @param age position in the mailbox, 0 the oldest, 1 the newest
 * @param month 0-11, of the message's date
 */
export function initialLabels(
  seed: number,
  index: number,
  kind: Kind,
  fromMe: boolean,
  age: number,
  month: number,
): string[] {
  const random = new Random(seedOf(seed, 'labels', index));
  const labels: string[] = [];
  const category = CATEGORY[kind];
  if (fromMe) {
    labels.push('SENT');
  } else if (kind === 'spam') {
    labels.push('SPAM');
  } else if (age > 0.85 && random.chance(category === 'CATEGORY_PROMOTIONS' ? 0.15 : 0.04)) {
    labels.push('TRASH');
  } else if (random.chance(0.25 + 0.55 * age)) {
    labels.push('INBOX');
  }
  if (!fromMe && !random.chance((READ_SHARE[kind] ?? 0.9) + (1 - age) * 0.08)) labels.push('UNREAD');
  if (category !== undefined && !fromMe && kind !== 'spam') labels.push(category);
  if (kind === 'conversation' && random.chance(0.6)) labels.push('IMPORTANT');
  if (random.chance(kind === 'conversation' ? 0.05 : 0.01)) labels.push('STARRED');
  if (kind === 'conversation' && random.chance(0.2)) labels.push('Label_1');
  if (kind === 'receipt' && random.chance(0.6)) labels.push('Label_4');
  if (kind === 'shipping' && random.chance(0.2)) labels.push('Label_2');
  if ((kind === 'photos' || kind === 'receipt') && age > 0.6 && random.chance(0.15)) labels.push('Label_3');
  if (month >= 5 && month <= 8 && random.chance(0.05)) labels.push('Label_5');
  return labels;
}
