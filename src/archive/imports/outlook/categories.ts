import { systemLabelId } from '../mbox/takeout-headers';
import type { MapiProperties } from './mapi-properties';
import { oneLine } from './one-line';

const MAX_CATEGORIES = 100;
const MAX_LENGTH = 255;

/**
 * Labels for the categories of an item (PidNameKeywords). A sender can write them into a message: the name of a system label is
 * none, as it would put the message into the trash or call it unread.
 */
export function labelsOfCategories(properties: MapiProperties): string[] {
  const names = properties
    .readTexts('keywords', MAX_CATEGORIES)
    .map((text) => (oneLine(text) ?? '').trim())
    .filter((name) => name !== '' && name.length <= MAX_LENGTH && systemLabelId(name) !== name);
  return [...new Set(names)];
}
