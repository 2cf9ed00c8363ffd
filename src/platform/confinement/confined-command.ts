import { join } from 'node:path';

const CONFINE = join(__dirname, 'confine.py');
/** Exit codes of `confine.py`: the process could not be confined, or the program is not there. */
export const CONFINE_EXIT = { notConfined: 21, notFound: 127 } as const;
export const CONFINED_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

/** Limits of a confined program. */
export interface Confinement {
  /** Memory that it may write to (RLIMIT_DATA). */
  readonly maxDataBytes: number;
  /** Processor time in seconds. */
  readonly maxCpuSeconds: number;
  /** Paths below which it may open files, where the kernel has Landlock; null: all that the service may read. */
  readonly readable: readonly string[] | null;
  /** It may start neither processes nor threads, and runs with the least priority. */
  readonly isAlone: boolean;
}

/** The command that runs a program for untrusted files: without network, and with limits of the operating system. */
export const confinedCommand = (
  confinement: Confinement,
  program: readonly string[],
): readonly [string, readonly string[]] => [
  'python3',
  ['-I', '-S', '-B', CONFINE, JSON.stringify(confinement), ...program],
];
