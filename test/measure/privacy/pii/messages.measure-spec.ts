import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allText } from '../../../../src/platform/mime/all-text';
import { findPii } from '../../../../src/privacy/pii/detection/find-pii';
import { canonicalPii } from '../../../support/labelled/canonical-pii';

const MESSAGES = join(__dirname, 'messages');

/** By file name: all personal data of a raw message, whose transfer encoding, charset or markup is in the way. */
const expected: Record<string, { type: string; value: string }[]> = JSON.parse(
  readFileSync(join(MESSAGES, 'expected.json'), 'utf8'),
);

const inOrder = (marks: readonly { type: string; value: string }[]) =>
  [...new Set(marks.map(({ type, value }) => `${type} ${canonicalPii(type, value)}`))].sort();

describe('personal data in raw messages', () => {
  it('should have labels for every message', () => {
    const files = readdirSync(MESSAGES).filter((name) => name.endsWith('.eml'));
    expect(files.sort()).toEqual(
      Object.keys(expected)
        .map((name) => `${name}.eml`)
        .sort(),
    );
  });

  it.each(Object.keys(expected))('should find exactly the data in %s', (name) => {
    const { text } = allText(readFileSync(join(MESSAGES, `${name}.eml`)));
    expect(inOrder(findPii(text))).toEqual(inOrder(expected[name] ?? []));
  });
});
