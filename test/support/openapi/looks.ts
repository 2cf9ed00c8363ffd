import { resolve, Schema } from '../world/operations';

/** Texts without a format in the document, by their examples: `archive_mails-42`, `2025-11`, `48211`. */
const LOOKS = [/^[a-z_]+-\d+$/, /^\d{4}-\d\d$/, /^\d+$/];

/** Lists that had an item in some answer, so that nothing is taken for right because it was empty. */
export type Seen = Set<string>;

/**
 * Texts of an answer that do not look like their examples.
 * @param at the place of the value; begins each sentence
 * @param seen gets the lists that have an item
 */
export function unlikeExamples(schema: Schema, value: unknown, at: string, seen: Seen): string[] {
  const { items, properties, example } = resolve(schema);
  if (Array.isArray(value)) {
    if (value.length > 0) seen.add(at);
    return items ? [...new Set(value.flatMap((item) => unlikeExamples(items, item, `${at}[]`, seen)))] : [];
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    return Object.entries(properties ?? {}).flatMap(([name, property]) =>
      unlikeExamples(property, fields[name], `${at} ${name}`, seen),
    );
  }
  if (typeof value !== 'string' || typeof example !== 'string') return [];
  const look = LOOKS.find((one) => one.test(example));
  return look && !look.test(value) ? [`${at}: ${value} does not look like ${example}`] : [];
}

/** The lists on the way to a field such as `mails[].label_ids[]`, as `unlikeExamples()` names them. */
export const listsOf = (at: string, field: string): string[] =>
  [...field.matchAll(/\[\]/g)].map(({ index }) => {
    const list = field.slice(0, index).replaceAll('.', ' ');
    return list === '' || list.startsWith('[]') ? `${at}${list}` : `${at} ${list}`;
  });
