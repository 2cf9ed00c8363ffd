import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import ts from 'typescript';

const ROOT = resolve(__dirname, '..');
const FOLDERS = ['src', 'test/support', 'web/src', 'sdk/src', 'sandbox/src', 'scripts'];
const FOLDERS_OF_TITLES = ['src', 'test', 'web/src', 'sdk/src', 'sdk/test', 'sandbox/src'];
/** Files that are generated, or name the words on purpose. */
const LEFT_OUT = ['sdk/src/generated', 'src/plain-words.spec.ts'];

/** Openers of fragments, which say nothing without the code below them; see CONTRIBUTING.md. */
const OPENERS = /^(What|Of|How|As|Those|Who|Whoever|So) /;
/** Words that have a plain one: a user, another process, to be notified, to delete or release. */
const WORDS =
  /\b(somebody|nobody|anybody|whoever|(?:is|are) told(?! apart)|let go of|lets go of|takes its leave)\b/i;

/** Words that leave a reader of a title or a log line guessing; each has a plain one. */
const RIDDLES =
  /\b(everybody|all the same|say so|by (?:itself|themselves)|go(?:es|ing)? on|comes? to|hands? over|of no use|at work|does without|anew|for ever)\b/i;

const TESTS = new Set(['it', 'describe', 'nightly', 'test']);
const LEVELS = new Set(['log', 'warn', 'error', 'debug', 'verbose', 'fatal']);

interface Comment {
  readonly line: number;
  readonly text: string;
  /** Whether it is a doc comment. */
  readonly isDoc: boolean;
}

/** Comments of a source, without what looks like one in a string or a regular expression. */
function commentsOf(source: string): Comment[] {
  const comments: Comment[] = [];
  const pattern = /^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/[^\n]*)|[;,{}()\]] (\/\/[^\n]*)$/gm;
  for (const { 0: whole, 1: own, 2: trailing, index } of source.matchAll(pattern)) {
    const found = own ?? trailing ?? '';
    const line = source.slice(0, index + whole.length - found.length).split('\n').length;
    const text = found
      .replace(/\*\/$/, '')
      .replace(/^\/\*\*|^\/\/|^[ \t]*\*/gm, '')
      .replace(/\s+/g, ' ');
    comments.push({ line, text: text.trim(), isDoc: found.startsWith('/**') });
  }
  return comments;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !LEFT_OUT.some((left) => path.startsWith(left)));
}

/** The function that a call begins with: `it` of `it.each(…)(…)`. */
function rootOf(node: ts.Node): ts.Node {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : node;
}

const isTest = ({ expression, arguments: given }: ts.CallExpression): boolean =>
  given.length > 1 && TESTS.has(rootOf(expression).getText());

const isLog = ({ expression }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(expression) &&
  LEVELS.has(expression.name.text) &&
  /(^|\.)logger$/.test(expression.expression.getText());

/** Strings below a node, without the code in templates. */
function stringsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…'),
    ];
  if (ts.isCallExpression(node)) return [];
  return node.getChildren().flatMap(stringsIn);
}

/** Titles of tests and texts of log lines in a source. */
function titlesOf(source: string): Pick<Comment, 'line' | 'text'>[] {
  // Most files have neither, and parsing takes long.
  if (!/\b(?:it|describe|nightly|test|logger)\s*[.(]/.test(source)) return [];
  const file = ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const titles: Pick<Comment, 'line' | 'text'>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const titled = isTest(node) ? node.arguments.slice(0, 1) : isLog(node) ? node.arguments : [];
      for (const argument of titled) {
        const line = file.getLineAndCharacterOfPosition(argument.getStart()).line + 1;
        titles.push(...stringsIn(argument).map((text) => ({ line, text })));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

const riddlesIn = (path: string): string[] =>
  titlesOf(readFileSync(join(ROOT, path), 'utf8')).flatMap(({ line, text }) => {
    const problem = WORDS.exec(text)?.[0] ?? RIDDLES.exec(text)?.[0];
    return problem ? [`${path}:${line} "${problem}": ${text}`] : [];
  });

const problemsIn = (path: string): string[] =>
  commentsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap(({ line, text, isDoc }) => {
    const problem = (isDoc && OPENERS.exec(text)?.[1]) || WORDS.exec(text.replace(/`[^`]*`/g, ''))?.[0];
    return problem ? [`${path}:${line} "${problem}": ${text.slice(0, 80)}`] : [];
  });

describe('Comments', () => {
  it.each(FOLDERS)('should be in plain words: %s', (folder) => {
    expect(sourcesIn(folder).flatMap(problemsIn)).toEqual([]);
  });

  it('should be found in sources', () => {
    const source =
      "/** What it is. */\nconst a = 'x // Somebody'; // Nobody knows.\n  /**\n   * As `a`.\n   */\n";
    expect(commentsOf(source)).toEqual([
      { line: 1, text: 'What it is.', isDoc: true },
      { line: 2, text: 'Nobody knows.', isDoc: false },
      { line: 3, text: 'As `a`.', isDoc: true },
    ]);
  });
});

describe('Titles of tests and log lines', () => {
  it.each(FOLDERS_OF_TITLES)('should be in plain words: %s', (folder) => {
    expect(sourcesIn(folder).flatMap(riddlesIn)).toEqual([]);
  });

  it('should be found in sources', () => {
    const source = [
      "describe('A', () => {",
      "  it.each([1])('should go %s', () => this.logger.warn(`Lost ${a('b')} files`));",
      '  nightly(`should ${c}`, run);',
      "  logger.log({ message: 'Done', count });",
      "  pattern.test('other');",
      '});',
    ].join('\n');
    expect(titlesOf(source)).toEqual([
      { line: 1, text: 'A' },
      { line: 2, text: 'should go %s' },
      { line: 2, text: 'Lost … files' },
      { line: 3, text: 'should …' },
      { line: 4, text: 'Done' },
    ]);
  });
});
