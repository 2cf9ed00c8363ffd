import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Most lines of the method with which a handler runs a job; see docs/recipes/add-a-job-kind.md. */
const MOST_LINES = 25;

/** Kinds that are defined in another file than `<kind>.job.ts`, from which the file that starts them could not import. */
const DEFINED_ELSEWHERE: Readonly<Record<string, string>> = {
  // The index starts its own job, and the handler uses the index.
  index_mailbox: 'index-jobs.ts',
};

/** Runs that another class than the handler makes, because jobs of other kinds do the same as a part of their work. */
const MADE_ELSEWHERE: Readonly<Record<string, string>> = {
  ArchiveMailsRun: 'message-archiver.ts',
  BulkOperationRun: 'bulk-changer.ts',
  IndexMailboxRun: 'mailbox-indexer.ts',
};

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

const sources: readonly Source[] = readdirSync(__dirname, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({
    path: relative(__dirname, path),
    folder: dirname(path),
    name: basename(path),
    text: readFileSync(path, 'utf8'),
  }));

/** The name of a kind in names of classes: `BulkOperation` of `bulk_operation`. */
const pascalOf = (kind: string): string =>
  kind
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const definitions = sources.flatMap((source) =>
  [...source.text.matchAll(/export const (\w+) = defineJob\('(\w+)'/g)].map(([, constant, kind = '']) => ({
    kind,
    constant,
    source,
  })),
);

const jobs = sources.filter(({ name }) => name.endsWith('.job.ts'));
const runs = sources.filter(({ name }) => name.endsWith('.run.ts'));
const stemOf = ({ name }: Source): string => name.split('.')[0]!;
const runBeside = (job: Source): Source | undefined =>
  runs.find((run) => run.folder === job.folder && stemOf(run) === stemOf(job));

/** The lines of the method `run` between its braces. */
function linesOfRun({ text }: Source): number {
  const body = /\n {2}async run\((?:[^)]*)\): [^\n]* \{\n([\s\S]*?)\n {2}\}\n/.exec(text)?.[1];
  return body === undefined ? Infinity : body.split('\n').length;
}

describe('Job kinds', () => {
  it('should be found', () => {
    expect(definitions.length).toBeGreaterThan(20);
    expect(runs.length).toBeGreaterThan(15);
    expect(jobs.map(linesOfRun).every((lines) => lines > 0)).toBe(true);
  });

  it('should be defined in a file that is named after them', () => {
    const misplaced = definitions.filter(
      ({ kind, source }) =>
        source.name !== (DEFINED_ELSEWHERE[kind] ?? `${kind.replaceAll('_', '-')}.job.ts`),
    );
    expect(misplaced.map(({ kind, source }) => `${kind}: ${source.path}`)).toEqual([]);
    const misnamed = definitions.filter(({ kind, constant }) => constant !== pascalOf(kind));
    expect(misnamed.map(({ kind, constant }) => `${kind}: ${constant}`)).toEqual([]);
  });

  it('should have one handler each, in that file, which is named after them', () => {
    const kinds = definitions.map(({ kind }) => kind.replaceAll('_', '-')).sort();
    expect(jobs.map(stemOf).sort()).toEqual(kinds);
    const wrong = jobs.filter((job) => {
      const name = pascalOf(stemOf(job));
      const handler = new RegExp(
        `@HandlesJob\\(${name}\\)\\nexport class ${name}Handler implements JobHandler<`,
      );
      return !handler.test(job.text);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('should have their runs beside them, as plain classes named after them', () => {
    const wrong = runs.filter((run) => {
      const name = `${pascalOf(stemOf(run))}Run`;
      const [, head = ''] = new RegExp(`\\nexport class ${name} \\{([\\s\\S]*)`).exec(run.text) ?? [];
      const [constructor = ''] = /\n {2}constructor\([\s\S]*?\n {2}\) \{/.exec(head) ?? [];
      return (
        !jobs.some((job) => runBeside(job) === run) ||
        run.text.includes('@Injectable') ||
        !constructor.includes('private readonly job: JobContext,') ||
        !constructor.includes(`private readonly services: `) ||
        !/\n {2}async run\(\): /.test(head)
      );
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('should stand in the guide, which says how each is taken up again', () => {
    const guide = readFileSync(join(__dirname, '../docs/operations.md'), 'utf8');
    const [, section = ''] = /^## Taking up ended jobs$([^]*?)^## /m.exec(guide) ?? [];
    const rows = [...section.matchAll(/^\|([^|]*`[^|]*)\|/gm)].map(([, kinds = '']) => kinds);
    const listed = rows.flatMap((kinds) => [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
    expect(listed.sort()).toEqual(definitions.map(({ kind }) => kind).sort());
  });

  it('should have no class named Run elsewhere', () => {
    const others = sources.filter((source) => !runs.includes(source) && /\bclass \w+Run\b/.test(source.text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('should have each run created by one class: the handler, or one shared by jobs of several kinds', () => {
    const wrong = runs.flatMap((run) => {
      const name = `${pascalOf(stemOf(run))}Run`;
      const makers = sources
        .filter(({ text }) => text.includes(`new ${name}(`))
        .map(({ name: file }) => file);
      const expected = MADE_ELSEWHERE[name] ?? `${stemOf(run)}.job.ts`;
      return makers.join() === expected ? [] : [`${name}: ${makers.join()}`];
    });
    expect(wrong).toEqual([]);
  });

  it(`should be run by a method of ${MOST_LINES} lines at most`, () => {
    const long = jobs.filter((job) => linesOfRun(job) > MOST_LINES);
    expect(long.map((job) => `${job.path}: ${linesOfRun(job)}`)).toEqual([]);
  });

  it('should use repositories in their runs, not in handlers that do the work themselves', () => {
    const direct = jobs.filter(
      (job) => runBeside(job) === undefined && /from '[^']*\.repository'/.test(job.text),
    );
    expect(direct.map(({ path }) => path)).toEqual([]);
  });

  it('should continue from their checkpoints in their runs or handlers', () => {
    const others = sources.filter(
      (source) =>
        source.text.includes('.savedCheckpoint') &&
        !/\.(job|run)\.ts$/.test(source.name) &&
        !source.path.startsWith('platform/jobs/'),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});
