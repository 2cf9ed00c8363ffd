import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Dependencies of a class above which its doc comment has to say why. */
const MOST = 9;

const sources = readdirSync(__dirname, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
  .map((entry) => join(entry.parentPath, entry.name));

interface Constructed {
  readonly name: string;
  readonly comment: string;
  readonly dependencies: number;
}

/** The injectable classes of a source. */
function constructedIn(source: string): Constructed[] {
  const classes = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?((?:@[^\n]*\n)+)export class (\w+)([\s\S]*?)(?=\n}\n)/g;
  return [...source.matchAll(classes)].map(([, comment = '', , name = '', body = '']) => {
    const parameters = /constructor\(([\s\S]*?)\n? *\) {/.exec(body)?.[1] ?? '';
    return { name, comment, dependencies: parameters.match(/\breadonly \w+:/g)?.length ?? 0 };
  });
}

describe('Classes', () => {
  const classes = sources.flatMap((path) =>
    constructedIn(readFileSync(path, 'utf8')).map((found) => ({ ...found, path: relative(__dirname, path) })),
  );

  it('should be found with their dependencies', () => {
    expect(classes.length).toBeGreaterThan(300);
    expect(Math.max(...classes.map(({ dependencies }) => dependencies))).toBeGreaterThan(MOST);
  });

  it(`should justify more than ${MOST} dependencies`, () => {
    const silent = classes.filter(
      ({ dependencies, comment }) =>
        dependencies > MOST && !/\bdependencies because\b/.test(comment.replace(/\s*\n \* ?/g, ' ')),
    );
    expect(silent.map(({ path, name, dependencies }) => `${path} ${name}: ${dependencies}`)).toEqual([]);
  });
});
