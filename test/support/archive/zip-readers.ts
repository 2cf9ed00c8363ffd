import { execFileSync, spawnSync } from 'node:child_process';

/** An entry as another program reads it. */
export interface ReadEntry {
  readonly name: string;
  readonly size: number;
}

/** A program that reads ZIP files, and is not what wrote them. */
interface ZipReader {
  readonly name: string;
  readonly command: string;
  /** Reads every entry of a file and compares its checksum. @throws unless all of them are right */
  readonly check: (path: string) => ReadEntry[];
}

const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Names of files are UTF-8. */
const ENVIRONMENT = { ...process.env, LC_ALL: 'C.UTF-8' };

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: OUTPUT_BYTES, env: ENVIRONMENT });

const isInstalled = (command: string): boolean => spawnSync(command, ['--help']).error === undefined;

const PYTHON = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as file:
    wrong = file.testzip()
    if wrong is not None:
        sys.exit('wrong checksum: ' + wrong)
    json.dump([{'name': entry.filename, 'size': entry.file_size} for entry in file.infolist()], sys.stdout)
`;

const READERS: readonly ZipReader[] = [
  {
    name: 'Info-ZIP unzip',
    command: 'unzip',
    check: (path) => {
      run('unzip', ['-tqq', path]);
      // The line of an entry: mode, version and system that made it, size, kind, method, date, time, name.
      const line = /^\S{10} +\d\.\d \w{3} +(\d+) \S\S \w{4} \S+ \S+ (.+)$/gm;
      return [...run('unzip', ['-Z', '-s', path]).matchAll(line)].map(([, size, name]) => ({
        name: name!,
        size: Number(size),
      }));
    },
  },
  {
    name: 'Python zipfile',
    command: 'python3',
    check: (path) => JSON.parse(run('python3', ['-c', PYTHON, path])) as ReadEntry[],
  },
];

/** The readers that this machine has. */
export const ZIP_READERS = READERS.filter(({ command }) => isInstalled(command));
