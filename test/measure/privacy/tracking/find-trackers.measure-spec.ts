import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTrackers } from '../../../../src/privacy/tracking/detection/find-trackers';
import { score, scoreTable, type Judged, type Mark } from '../../../support/labelled/precision-recall';

const TYPES = ['pixel', 'utm'] as const;
const MINIMUM = 0.97;

type Tracker =
  | { readonly type: 'pixel'; readonly url: string }
  | { readonly type: 'utm'; readonly domain: string; readonly params: readonly string[] };

/**
 * `labelled/<type>.json`: HTML as senders write it, all of it made up, with every tracker in it. `positives` hold
 * one of the type; `negatives` hold what is easily taken for one. They were written from what sender platforms
 * document, without a look at the detector.
 */
interface Labelled {
  readonly id: string;
  readonly class: string;
  readonly html: string;
  readonly expected: readonly Tracker[];
}

function labelled(type: string): { positives: Labelled[]; negatives: Labelled[] } {
  return JSON.parse(readFileSync(join(__dirname, 'labelled', `${type}.json`), 'utf8'));
}

/** A pixel is its URL, as a browser writes it; links are their host and the names of all tracking parameters. */
function mark(tracker: Tracker): Mark {
  return tracker.type === 'pixel'
    ? { kind: 'pixel', value: new URL(tracker.url, 'https://message.example').href.replace(/^https?:/, '') }
    : { kind: 'utm', value: `${tracker.domain}: ${[...new Set(tracker.params)].sort().join(', ')}` };
}

const entries = TYPES.flatMap((type) => {
  const { positives, negatives } = labelled(type);
  return [...positives, ...negatives];
});

const judged: Judged[] = entries.map((entry) => ({
  id: entry.id,
  class: entry.class,
  expected: entry.expected.map(mark),
  found: findTrackers(entry.html).map(mark),
}));

describe('trackers in labelled messages', () => {
  const scores = TYPES.map((type) => score(type, judged));

  beforeAll(() => {
    const failures = scores.flatMap((one) => one.failures.map((line) => `${one.kind}: ${line}`));
    process.stdout.write(
      `${[scoreTable(`Trackers, ${entries.length} messages`, scores), ...failures].join('\n')}\n`,
    );
  });

  it.each(TYPES)('should have more than 100 messages with and without: %s', (type) => {
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
});
