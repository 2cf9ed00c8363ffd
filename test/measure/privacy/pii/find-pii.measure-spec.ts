import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPii } from '../../../../src/privacy/pii/detection/find-pii';
import { canonicalPii } from '../../../support/labelled/canonical-pii';
import { score, scoreTable, type Judged } from '../../../support/labelled/precision-recall';

const TYPES = ['credit_card', 'iban', 'french_ssn', 'password_plain', 'phone_fr'];
const MINIMUM = 0.97;

/**
 * `labelled/<type>.json`: texts as people write them, every one made up, with all personal data that is in them.
 * `positives` hold something of the type; `negatives` hold what is easily taken for it. They were written from the
 * formats alone, without a look at the detector; those of the class "second writing" came after its rules had been
 * improved with the first, and tell how it does on what it has not met; so did "third writing" and "fourth writing",
 * each after the rules had been improved with those before. Values stand without separators; a phone
 * number as dialled in France; a password exactly as it is.
 */
interface Labelled {
  readonly id: string;
  readonly class: string;
  readonly text: string;
  readonly expected: readonly { readonly type: string; readonly value: string }[];
}

function labelled(type: string): { positives: Labelled[]; negatives: Labelled[] } {
  return JSON.parse(readFileSync(join(__dirname, 'labelled', `${type}.json`), 'utf8'));
}

/** The mask of the contract, as a pattern of what may still be read in it. */
function mayShow(type: string, value: string): string {
  if (type === 'credit_card') return value.slice(-4);
  if (type === 'iban') return value.slice(0, 4);
  return '';
}

const entries = TYPES.flatMap((type) => {
  const { positives, negatives } = labelled(type);
  return [...positives, ...negatives];
});

const judged: Judged[] = entries.map((entry) => ({
  id: entry.id,
  class: entry.class,
  expected: entry.expected.map(({ type, value }) => ({ kind: type, value: canonicalPii(type, value) })),
  found: findPii(entry.text).map(({ type, value }) => ({ kind: type, value: canonicalPii(type, value) })),
}));

describe('personal data in labelled texts', () => {
  const scores = TYPES.map((type) => score(type, judged));

  beforeAll(() => {
    const failures = scores.flatMap((one) => one.failures.map((line) => `${one.kind}: ${line}`));
    process.stdout.write(
      `${[scoreTable(`Personal data, ${entries.length} texts`, scores), ...failures].join('\n')}\n`,
    );
  });

  it.each(TYPES)('should have more than 100 texts with and without: %s', (type) => {
    const { positives, negatives } = labelled(type);
    const holds = (entry: Labelled) => entry.expected.some((one) => one.type === type);
    expect(positives.filter(holds).length).toBeGreaterThan(100);
    expect(negatives.filter((entry) => !holds(entry)).length).toBeGreaterThan(100);
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
  });

  it.each(scores)('should find $kind with precision and recall of 0.97 or more', (one) => {
    const report = [scoreTable('', [one]), ...one.failures].join('\n');
    if (one.precision < MINIMUM || one.recall < MINIMUM) throw new Error(report);
  });

  it('should return the position of each find and mask it as documented', () => {
    for (const { id, text } of entries) {
      for (const find of findPii(text)) {
        const type = find.type;
        const value = canonicalPii(type, find.value);
        const there = text.slice(find.start, find.end);
        const shown = find.masked.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
        expect({ id, there: canonicalPii(type, there), shown }).toEqual({
          id,
          there: value,
          shown: mayShow(type, value),
        });
        if (type === 'password_plain') expect(find.masked).toBe('********');
      }
    }
  });
});
