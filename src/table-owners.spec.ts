import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/**
 * A table belongs to the folder of its entity. Other folders ask its owner; where one statement has to join tables of
 * several owners, or lock a row of another, it is listed here.
 */
const LISTED: Readonly<Record<string, readonly string[]>> = {};

const ROOT = __dirname;

interface Access {
  readonly file: string;
  readonly table: string;
  readonly isWrite: boolean;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), source: readFileSync(join(ROOT, file), 'utf8') }));

const folderOf = (file: string): string => file.split('/')[0] ?? '';

/** Tables by the name of their entity. */
const entities = new Map(
  files
    .filter(({ file }) => file.endsWith('.entity.ts'))
    .flatMap(({ file, source }) =>
      [...source.matchAll(/@Entity\('([a-z_]+)'[^]*?export class (\w+)/g)].map(
        ([, table, entity]) => [entity!, { table: table!, owner: folderOf(file) }] as const,
      ),
    ),
);
const owners = new Map([...entities.values()].map(({ table, owner }) => [table, owner]));

const READ = /\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?([a-z_]+)\b/g;
const WRITE = /\b(?:INTO|UPDATE|DELETE FROM|COPY|TRUNCATE)\s+(?:ONLY\s+)?([a-z_]+)\b/g;

/** The text of every string and template of a file; comments and code are left out. */
function literalsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

function accessesOf({ file, source }: (typeof files)[number]): Access[] {
  const texts = literalsOf(file, source);
  const named = (pattern: RegExp, isWrite: boolean): Access[] =>
    texts.flatMap((text) =>
      [...text.matchAll(pattern)].map(([, table]) => ({ file, table: table!, isWrite })),
    );
  const mapped = [...source.matchAll(/(?:getRepository\(|super\(\w+, )(\w+Entity)\)/g)].flatMap(([, entity]) => {
    const known = entities.get(entity!);
    return known ? [{ file, table: known.table, isWrite: false }] : [];
  });
  return [...named(READ, false), ...named(WRITE, true), ...mapped];
}

describe('Tables', () => {
  const foreign = files.flatMap(accessesOf).filter(({ file, table }) => {
    const owner = owners.get(table);
    return owner !== undefined && owner !== folderOf(file);
  });
  const described = [...new Set(foreign.map(({ file, table, isWrite }) => `${file} ${isWrite ? 'writes' : 'reads'} ${table}`))];

  it('should be found', () => {
    expect(owners.size).toBeGreaterThan(40);
    expect(relative(ROOT, __filename)).toBe('table-owners.spec.ts');
  });

  it('should be used by their owners and by listed statements only', () => {
    const listed = Object.entries(LISTED).flatMap(([file, uses]) => uses.map((use) => `${file} ${use}`));
    expect(described.toSorted()).toEqual(listed.toSorted());
  });
});
