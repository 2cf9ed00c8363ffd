import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', 'docs', 'adr');
const ROW = /^\|\s*(\d+)\s*\|\s*\[(.+)\]\((\S+)\)\s*\|\s*(\S.*?)\s*\|$/;
const STATUS = /^(accepted(; .+)?|(superseded|withdrawn) by \d+)$/;
const NEVER_USED = [44, 65, 66, 67, 68, 69, 76];

interface Listed {
  number: number;
  title: string;
  file: string;
}

const files = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
const index = readFileSync(join(FOLDER, 'README.md'), 'utf8').split('\n');
const rows = index.flatMap((line) => {
  const match = ROW.exec(line);
  return match ? [{ number: Number(match[1]), title: match[2]!, file: match[3]!, status: match[4]! }] : [];
});

/** A record as its file has it: the number is that of the title. */
function recordOf(file: string): Listed {
  const match = /^# (\d+)\. (.+)\n/.exec(readFileSync(join(FOLDER, file), 'utf8'));
  if (!match) throw new Error(`${file} does not begin with "# <number>. <title>"`);
  return { number: Number(match[1]), title: match[2]!, file };
}

describe('Architecture decisions', () => {
  it('should have a unique number each, the same in file name and title', () => {
    const records = files.map(recordOf);

    expect(records.map(({ number }) => number)).toEqual(files.map((file) => Number(file.slice(0, 4))));
    expect(new Set(records.map(({ number }) => number)).size).toBe(files.length);
  });

  it('should each be listed in the index once, with their title', () => {
    const listed = rows.map(({ number, title, file }) => ({ number, title, file }));

    expect(listed.sort((a, b) => a.number - b.number)).toEqual(files.sort().map(recordOf));
  });

  it('should have a known status, and refer only to existing records', () => {
    const numbers = new Set(rows.map(({ number }) => number));

    expect(rows.filter(({ status }) => !STATUS.test(status))).toEqual([]);
    const named = rows.flatMap(({ status }) => status.match(/\d+/g) ?? []).map(Number);
    expect(named.filter((number) => !numbers.has(number))).toEqual([]);
  });

  it('should skip no number except those that were never used', () => {
    const numbers = new Set(rows.map(({ number }) => number));
    const last = Math.max(...numbers);
    const missing = Array.from({ length: last }, (_, place) => place + 1).filter((n) => !numbers.has(n));

    expect(missing).toEqual(NEVER_USED);
  });

  it('should exist for every number that a comment in the service cites', () => {
    const numbers = new Set(rows.map(({ number }) => number));
    const sources = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const named = sources.flatMap((name) =>
      [...readFileSync(join(__dirname, name), 'utf8').matchAll(/\bADRs? (\d+)(?: and (\d+))?/g)].flatMap(
        ([, a, b]) =>
          [a, b].filter((text) => text !== undefined).map((text) => ({ name, number: Number(text) })),
      ),
    );

    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  it('should exist for every link in a document', () => {
    const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs(), ...records()];
    const broken = documents.flatMap((path) =>
      [
        ...readFileSync(join(__dirname, '..', path), 'utf8').matchAll(
          /\((?:docs\/)?(?:adr\/)?(\d{4}-[^)#]+\.md)/g,
        ),
      ]
        .filter(([, file]) => !files.includes(file!))
        .map(([, file]) => `${path}: ${file}`),
    );

    expect(broken).toEqual([]);
  });
});

function docs(): string[] {
  return readdirSync(join(FOLDER, '..'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
}

function records(): string[] {
  return ['README.md', ...files].map((name) => `docs/adr/${name}`);
}
