import differences from '../../../../test/support/mime/rtf/rtf-differences.json';
import {
  hasUnrtf,
  type ReadRtf,
  readWithOurs,
  readWithStreamParser,
  readWithUnrtf,
} from '../../../../test/support/mime/rtf/rtf-readers';
import { rtfSamples } from '../../../../test/support/mime/rtf/rtf-samples';

/** Differences that are named, with who is right. */
const NAMED = new Map(
  differences.flatMap(({ right, reason, differences: keys }) =>
    keys.map((key) => [key, `${right}: ${reason}`] as const),
  ),
);

const READERS: Readonly<Record<string, ReadRtf>> = {
  'rtf-stream-parser': readWithStreamParser,
  ...(hasUnrtf() ? { unrtf: readWithUnrtf } : {}),
};

describe('readers of RTF', () => {
  const samples = rtfSamples();

  it.each(Object.keys(READERS))('should differ only where it is named: %s', (reader) => {
    const found = new Map<string, readonly [ours: string, theirs: string]>();
    let compared = 0;
    for (const [name, rtf] of samples) {
      const theirs = READERS[reader]!(rtf)?.join(' ');
      if (theirs === undefined) continue;
      compared += 1;
      const ours = readWithOurs(rtf)!.join(' ');
      if (ours !== theirs) found.set(`${name}: ${reader}`, [ours, theirs]);
    }
    console.info(`${reader}: ${compared} documents, ${found.size} named differences`);
    expect(compared).toBeGreaterThan(20);
    expect([...found].filter(([key]) => !NAMED.has(key))).toEqual([]);
    const stale = [...NAMED.keys()].filter((key) => key.endsWith(`: ${reader}`) && !found.has(key));
    expect(stale).toEqual([]);
  });
});
