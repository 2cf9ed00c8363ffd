import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names that a module imports from files of repositories. */
function repositoriesIn(source: string): Set<string> {
  const names = new Set<string>();
  for (const [, list = ''] of source.matchAll(/^import \{([^}]*)\} from '[^']*\.repository';/gm))
    for (const name of list.split(',')) names.add(name.trim().replace(/^type /, ''));
  return names;
}

/** Names in the `exports` of every module that a file declares, dynamic ones included. */
const exportsIn = (source: string): string[] =>
  [...source.matchAll(/\bexports: \[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );

describe('The exports of modules', () => {
  const modules = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.ts'))
    .map((file) => ({ file, source: readFileSync(join(__dirname, file), 'utf8') }));

  it('should be services: a repository is private to its folder, see ADR 106', () => {
    const exported = modules.flatMap(({ file, source }) => {
      const repositories = repositoriesIn(source);
      return exportsIn(source)
        .filter((name) => repositories.has(name) || name.endsWith('Repository'))
        .map((name) => `${name} in ${dirname(file)}`);
    });

    expect(modules.length).toBeGreaterThan(50);
    expect(modules.flatMap(({ source }) => exportsIn(source)).length).toBeGreaterThan(80);
    expect(exported).toEqual([]);
  });

  it('should be recognised, and so should repositories', () => {
    const source = "import { A, type B } from './a.repository';\nimport { C } from './c';\n";
    expect([...repositoriesIn(source)]).toEqual(['A', 'B']);
    expect(exportsIn('{ imports: [X], exports: [\n  A,\n  C,\n] }')).toEqual(['A', 'C']);
  });
});
