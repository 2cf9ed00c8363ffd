import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { en as core } from './en';
import { pages } from './en/pages';

const SOURCES = join(import.meta.dirname, '..');
/** Attributes that people read or hear. */
const READ = new Set(['label', 'title', 'placeholder', 'description', 'aria-label', 'alt', 'text']);
const LETTERS = /\p{L}{2}/u;

/** Texts in JSX that do not come from the catalogue. */
function bareTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isJsxText(node)
      ? node.text
      : ts.isJsxAttribute(node) &&
          READ.has(node.name.getText()) &&
          node.initializer &&
          ts.isStringLiteral(node.initializer)
        ? node.initializer.text
        : '';
    if (LETTERS.test(text)) found.push(`${file}: ${text.trim()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every text with its key. */
const textsOf = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value as object, `${path}${key}.`),
  );

const en = Object.assign(
  {},
  core,
  ...(await Promise.all(Object.values(pages).map((load) => load()))),
) as object;

describe('the catalogue', () => {
  it('should hold every text of the page', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
      .map((name) => join(SOURCES, name));
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap(bareTexts)).toEqual([]);
  });

  it('should have both forms of every text with a number of things', () => {
    const keys = new Set(textsOf(en).map(([key]) => key));
    for (const key of keys) if (key.endsWith('_one')) expect(keys).toContain(key.replace(/_one$/, '_other'));
  });

  it('should hold no empty text', () => {
    for (const [key, text] of textsOf(en)) expect([key, text.trim()]).not.toEqual([key, '']);
  });
});
