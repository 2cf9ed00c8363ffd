import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAP = readFileSync(join(__dirname, '../docs/architecture.md'), 'utf8');
const RULES = readFileSync(join(__dirname, '../.dependency-cruiser.cjs'), 'utf8');

/** The files of `src` outside of the groups: they put the application together, or concern all of it. */
const ROOT_FILES = [
  'adr-index.spec.ts',
  'api-texts.ts',
  'app.factory.ts',
  'app.module.ts',
  'dependencies.spec.ts',
  'folder-map.spec.ts',
  'global-modules.spec.ts',
  'job-recipe.spec.ts',
  'main.ts',
  'module-exports.spec.ts',
  'openapi-document.spec.ts',
  'openapi-document.ts',
  'optional-fields.spec.ts',
  'plain-words.spec.ts',
  'ports.module.ts',
  'schema.ts',
  'supporting-services.ts',
  'table-owners.spec.ts',
  'version.ts',
];

const entriesOf = (folder: string, isFolder: boolean): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() === isFolder)
    .map((entry) => entry.name)
    .toSorted();

const codesOf = (text: string): string[] => [...text.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);

/** The code spans of a text that are paths without placeholders. */
const codesWithSlash = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path]) => path!);

/** Groups of the table that opens the document, each with its folders in their order. */
const mapped = new Map(
  [...MAP.slice(0, MAP.indexOf('\n## ')).matchAll(/^\| `([a-z]+)` +\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, group, folders]) => [group!, codesOf(folders!)] as const,
  ),
);

/** The same of the rules, without parts that have a place of their own. */
const ruled = new Map(
  [
    ...RULES.slice(RULES.indexOf('const GROUPS'), RULES.indexOf('\n};')).matchAll(
      /^ {2}([a-z]+): \[([^\]]*)\]/gm,
    ),
  ].map(
    ([, group, folders]) =>
      [group!, [...folders!.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name!)] as const,
  ),
);

describe('The map of src', () => {
  it('should have ten groups, in the order of the rules', () => {
    expect([...mapped.keys()]).toEqual([...ruled.keys()]);
    expect(mapped.size).toBe(10);
  });

  it('should name exactly the existing folders', () => {
    // `src/cli/main.ts` keeps the path that operators' scripts name.
    expect(entriesOf(__dirname, true)).toEqual([...mapped.keys(), 'cli'].toSorted());
    expect(readdirSync(join(__dirname, 'cli'))).toEqual(['main.ts']);
    for (const [group, folders] of mapped) {
      expect(entriesOf(join(__dirname, group), true)).toEqual(folders.toSorted());
    }
  });

  it('should name the folders of each group in the order of the rules', () => {
    expect(Object.fromEntries(mapped)).toEqual(Object.fromEntries(ruled));
  });

  it('should describe the content of each folder', () => {
    for (const [group, folders] of mapped) {
      const [, section = ''] = MAP.split(`\n### \`${group}\`\n`);
      const end = section.search(/^#/m);
      const described = [...section.slice(0, end === -1 ? undefined : end).matchAll(/^\| `([a-z-]+)` +\|/gm)];
      expect(described.map(([, name]) => name)).toEqual(folders);
    }
  });

  it('should leave nothing outside the groups except what concerns all of them', () => {
    expect(entriesOf(__dirname, false)).toEqual(ROOT_FILES);
    for (const group of mapped.keys()) {
      expect(entriesOf(join(__dirname, group), false)).toEqual([`${group}.module.ts`]);
    }
  });

  it('should be no deeper than group, feature and part', () => {
    const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.ts') && file.split(/[\\/]/).length > 4)).toEqual([]);
  });

  it('should apply to the end-to-end tests as well', () => {
    const tests = join(__dirname, '../test/e2e');
    for (const group of entriesOf(tests, true)) {
      const known = mapped.get(group) ?? [];
      expect(entriesOf(join(tests, group), true).filter((folder) => !known.includes(folder))).toEqual([]);
    }
    expect(entriesOf(tests, true).filter((group) => !mapped.has(group))).toEqual([]);
  });

  it('should match the glossary and the guides', () => {
    const root = join(__dirname, '..');
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
    // The last column names a folder or a file of `src` first.
    const places = [...glossary.matchAll(/^\|(?:[^|]*\|){2}([^|]*)\|$/gm)].flatMap(([, last]) =>
      codesWithSlash(last!).map((place) => `src/${place}`),
    );
    const recipes = readdirSync(join(root, 'docs/recipes')).map((recipe) => `docs/recipes/${recipe}`);
    const guides = [
      ...['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/operations.md', 'docs/testing.md'],
      ...recipes,
    ];
    const named = guides.flatMap((guide) =>
      codesWithSlash(readFileSync(join(root, guide), 'utf8')).filter((code) =>
        // The build makes `web/dist`, and a clone does not have it yet.
        /^(src|test|web)\/(?!dist)/.test(code),
      ),
    );
    expect(places.length).toBeGreaterThan(50);
    expect(named.length).toBeGreaterThan(20);
    const ENDINGS = ['', '.ts', '.e2e-spec.ts'];
    const isThere = (path: string) => ENDINGS.some((ending) => existsSync(join(root, path + ending)));
    const missing = [...places, ...named].filter((path) => !isThere(path));
    expect(new Set(missing)).toEqual(new Set(['src/group/feature/part']));
  });
});
