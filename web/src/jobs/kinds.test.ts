import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canBeResumed, canBeRetried, canBeUndone, changesOf, isNamedKind, isResumable } from './kinds';

const SERVICE = join(import.meta.dirname, '../../../src');

/** The source of each `defineJob`, up to the end of its options, by its kind. */
const definitions = new Map(
  readdirSync(SERVICE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => [
      ...readFileSync(join(SERVICE, file), 'utf8').matchAll(
        /^export const \w+ = defineJob\(\s*'(\w+)',[^]*?\}\);$/gm,
      ),
    ])
    .map(([source, kind = '']): [string, string] => [kind, source]),
);

/** The kinds whose definition has an option, in order. */
const kindsWith = (option: RegExp): string[] => kindsThat((kind) => option.test(definitions.get(kind) ?? ''));

const kindsThat = (condition: (kind: string) => boolean): string[] =>
  [...definitions.keys()].filter(condition).toSorted();

describe('the kinds of jobs of the service', () => {
  it('should each have a name', () => {
    expect(definitions.size).toBeGreaterThan(20);
    expect(kindsThat((kind) => !isNamedKind(kind))).toEqual([]);
  });

  it('should each be in the filter of the list of jobs, except those that run after their list is gone', () => {
    const withoutReader = ['delete_mailbox_data', 'delete_user'];
    const filter = readFileSync(
      join(import.meta.dirname, '../features/operations/jobs/job-filters.ts'),
      'utf8',
    );
    const [, listed = ''] = /JOB_KINDS = \[([^]*?)\]/.exec(filter) ?? [];
    const kinds = [...listed.matchAll(/'(\w+)'/g)].map(([, kind]) => kind!);
    expect([...kinds, ...withoutReader].toSorted()).toEqual(kindsThat(() => true));
  });

  it('should each say in CHANGES what to request again at their end', () => {
    // No page shows a mailbox that has been disconnected.
    expect(kindsThat((kind) => changesOf(kind).length === 0)).toEqual(['delete_mailbox_data']);
  });

  it('should be undone, resumed and retried as their definitions have it', () => {
    expect(kindsThat(canBeUndone)).toEqual(kindsWith(/^ {2}undoable: true,$/m));
    expect(kindsThat((kind) => !canBeResumed(kind))).toEqual(kindsWith(/^ {2}resumes: false,$/m));
    expect(kindsThat(canBeRetried)).toEqual(kindsWith(/^ {2}retryOf\b/m));
  });

  it('should not be taken up again when the file of an import is the reason', () => {
    const source = readFileSync(join(SERVICE, 'archive/imports/imports.errors.ts'), 'utf8');
    const [, list = ''] = /FILE_ERRORS: readonly string\[\] = \[([^\]]*)\]/.exec(source) ?? [];
    const codes = [...list.matchAll(/'([\w-]+)'/g)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes)
      expect([code, isResumable({ type: 'import_mbox', error_code: code })]).toEqual([code, false]);
    expect(isResumable({ type: 'import_mbox', error_code: 'quota-exceeded' })).toBe(true);
    expect(isResumable({ type: 'import_mbox', error_code: null })).toBe(true);
  });
});
