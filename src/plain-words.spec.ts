import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const FOLDERS = ['src', 'web/src', 'sdk/src', 'sandbox/src', 'scripts'];
/** Files that are generated, or name the words on purpose. */
const LEFT_OUT = ['sdk/src/generated', 'src/plain-words.spec.ts'];

/** Openers of fragments, which say nothing without the code below them; see CONTRIBUTING.md. */
const OPENERS = /^(What|Of|How|As|Those|Who|Whoever|So) /;
/** Words that have a plain one: a user, another process, to be notified, to delete or release. */
const WORDS =
  /\b(somebody|nobody|anybody|whoever|(?:is|are) told(?! apart)|let go of|lets go of|takes its leave)\b/i;

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

const problemsIn = (path: string): string[] =>
  commentsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap(({ line, text, isDoc }) => {
    const problem = (isDoc && OPENERS.exec(text)?.[1]) || WORDS.exec(text.replace(/`[^`]*`/g, ''))?.[0];
    return problem ? [`${path}:${line} "${problem}": ${text.slice(0, 80)}`] : [];
  });

describe('Comments', () => {
  it.each(FOLDERS)('should say in plain words what they document: %s', (folder) => {
    expect(sourcesIn(folder).flatMap(problemsIn)).toEqual([]);
  });

  it('should be found in sources, with the words that are looked for', () => {
    const source =
      "/** What it is. */\nconst a = 'x // Somebody'; // Nobody knows.\n  /**\n   * As `a`.\n   */\n";
    expect(commentsOf(source)).toEqual([
      { line: 1, text: 'What it is.', isDoc: true },
      { line: 2, text: 'Nobody knows.', isDoc: false },
      { line: 3, text: 'As `a`.', isDoc: true },
    ]);
  });
});
