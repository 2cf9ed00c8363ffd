import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSourceFile,
  forEachChild,
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isVariableDeclaration,
  ScriptKind,
  ScriptTarget,
  type Node,
  type SourceFile,
} from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCES = import.meta.dirname;
const LONGEST_COMPONENT = 150;

/** The one file that uses the library for forms. */
const FORMS = 'ui/use-service-form.ts';
/** Elements that submit something, and are no form that a person fills in for the service; each with its reason. */
const NO_FORMS: Readonly<Record<string, string>> = {
  'ui/Confirm.tsx': 'a question with a button; what is typed only confirms it',
  'ui/SearchField.tsx': 'a search stays in the page',
  'app/HeaderSearch.tsx': 'a search is an address',
  'shared/passphrases/PassphraseForm.tsx': 'the passphrase stays in this tab until an operation needs it',
};

const isSource = (name: string): boolean => /(?<!\.test)\.tsx?$/.test(name);

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }));

/** Functions of a file whose names say that they are components, with their lines from the signature to the end. */
function componentsOf({ name, text }: { readonly name: string; readonly text: string }) {
  const source = createSourceFile(name, text, ScriptTarget.Latest, true, ScriptKind.TSX);
  const found: { readonly component: string; readonly lines: number }[] = [];
  const visit = (node: Node): void => {
    const named = namedFunctionOf(node);
    if (named && /^[A-Z]/.test(named.name))
      found.push({ component: `${name}: ${named.name}`, lines: linesOf(source, named.body) });
    forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `function Name() {}`, `const Name = () => …`, and the latter as the argument of a call such as `memo`. */
function namedFunctionOf(node: Node): { readonly name: string; readonly body: Node } | null {
  if (isFunctionDeclaration(node) && node.name) return { name: node.name.text, body: node };
  if (!isVariableDeclaration(node) || !isIdentifier(node.name) || !node.initializer) return null;
  const value = isCallExpression(node.initializer) ? node.initializer.arguments[0] : node.initializer;
  return value && (isArrowFunction(value) || isFunctionExpression(value))
    ? { name: node.name.text, body: node }
    : null;
}

function linesOf(source: SourceFile, node: Node): number {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1;
}

describe('components', () => {
  it(`should have at most ${LONGEST_COMPONENT} lines each`, () => {
    const all = files.filter(({ name }) => name.endsWith('.tsx')).flatMap(componentsOf);
    // The parser finds them at all.
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(({ lines }) => lines > LONGEST_COMPONENT)).toEqual([]);
  });

  it('should be measured from the signature to the end, however they are declared', () => {
    const text = [
      '/** Says nothing. */',
      'export function Long({',
      '  a,',
      '}: Props) {',
      '  return null;',
      '}',
      'const Short = () => null;',
      'const Kept = memo(() => {',
      '  return null;',
      '});',
      'function helper() {}',
    ].join('\n');
    expect(componentsOf({ name: 'x.tsx', text })).toEqual([
      { component: 'x.tsx: Long', lines: 5 },
      { component: 'x.tsx: Short', lines: 1 },
      { component: 'x.tsx: Kept', lines: 3 },
    ]);
  });

  it('should build forms with the shared hook', () => {
    const users = files.filter(({ text }) => /['"]@mantine\/form['"]/.test(text)).map(({ name }) => name);
    expect(users).toEqual([FORMS]);
  });

  it('should submit only what the hook sends', () => {
    const without = files
      .filter(({ text }) => /<form[\s>]|component="form"/.test(text) && !/use(Service|Page)Form\(/.test(text))
      .map(({ name }) => name);
    expect(without.toSorted()).toEqual(Object.keys(NO_FORMS).toSorted());
  });
});
