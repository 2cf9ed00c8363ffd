import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from '../../../platform/concurrency/timers';
import { PROPERTY } from './mapi-properties';
import { NAMED_PROPERTIES } from './named-properties';
import { type PffFrame, splitFrames } from './pff-frames';

const SCRIPT = join(__dirname, 'pff-reader.py');
const MIB = 1024 * 1024;
/** Exit codes of `pff-reader.py`. */
const EXIT = { noLibrary: 20, notConfined: 21, notOpened: 22, unreadable: 23 };
const MAX_REPORT = 2_000;
/** The data of an attachment comes in frames of its parts. */
const READ_PROPERTIES = Object.values(PROPERTY)
  .filter((id) => id !== PROPERTY.attachData && !(id in NAMED_PROPERTIES))
  .join(',');
const READ_NAMES = Object.entries(NAMED_PROPERTIES)
  .map(([id, { set, name }]) => `${set}:${name}:${id}`)
  .join(',');

/** Limits of the process that parses a data file. */
export interface PffLimits {
  /** Address space. */
  readonly maxMemoryBytes: number;
  /** Processor time. */
  readonly maxCpuSeconds: number;
  /** Processor time after which the rest of the file is left to another process: what libpff may not have freed is then given back. */
  readonly shareCpuSeconds: number;
  /** Longest time without a frame, after which the process is killed. */
  readonly maxSilenceMs: number;
  readonly maxItemBytes: number;
}

export const PFF_LIMITS: PffLimits = {
  maxMemoryBytes: 768 * MIB,
  maxCpuSeconds: 6 * 3_600,
  shareCpuSeconds: 120,
  maxSilenceMs: 60_000,
  maxItemBytes: 150 * MIB,
};

/** End of a process: of itself (`ended`), because something is missing, or by a fault of the file. */
export type PffEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'crashed'; readonly reason: string };

/** A program to run and the arguments before those of this service. */
export type PffProgram = readonly [string, ...string[]];

/**
 * Reads a data file with libpff in a process of its own, which gives up all rights but reading this file; see ADR 111. The process
 * ends with the generator: after the last frame, or when no more are asked for.
 * @param first position of the first item to read
 * @returns how the process ended
 */
export async function* readPff(
  path: string,
  first: number,
  signal: AbortSignal,
  limits: PffLimits = PFF_LIMITS,
  program: PffProgram = ['python3'],
): AsyncGenerator<PffFrame, PffEnd, undefined> {
  signal.throwIfAborted();
  const { maxItemBytes, maxMemoryBytes, maxCpuSeconds, shareCpuSeconds } = limits;
  const numbers = [first, maxItemBytes, maxMemoryBytes, maxCpuSeconds, shareCpuSeconds].map(String);
  const [file, ...before] = program;
  // An empty folder: nothing can be written there (RLIMIT_FSIZE), and nothing imported from there.
  const cwd = await mkdtemp(join(tmpdir(), 'mailroom-pff-'));
  const child = spawn(
    file,
    [...before, '-I', '-S', '-B', SCRIPT, resolve(path), ...numbers, READ_PROPERTIES, READ_NAMES],
    {
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let silence: NodeJS.Timeout | undefined;
  let isSilent = false;
  const kill = (): void => void child.kill('SIGKILL');
  const ended = new Promise<{ code: number | null; by: NodeJS.Signals | null; error: Error | null }>(
    (resolve) => {
      child.once('error', (error) => resolve({ code: null, by: null, error }));
      child.once('close', (code, by) => resolve({ code, by, error: null }));
    },
  );
  const report = readReport(child.stderr);
  signal.addEventListener('abort', kill, { once: true });
  const watch = (ms: number): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      isSilent = true;
      kill();
    }, ms);
  };
  try {
    watch(limits.maxSilenceMs);
    for await (const frame of splitFrames(child.stdout as AsyncIterable<Buffer>)) {
      // The time that the frame is worked on is not the process's.
      clearTimeout(silence);
      yield frame;
      watch(limits.maxSilenceMs);
    }
    const { code, by, error } = await ended;
    signal.throwIfAborted();
    if (error) return { kind: 'missing', reason: error.message };
    return endOf(code, isSilent ? 'it did not answer in time' : by, await report);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', kill);
    kill();
    child.stdout.destroy();
    await ended;
    await rm(cwd, { recursive: true, force: true });
  }
}

function endOf(code: number | null, by: string | null, report: string): PffEnd {
  if (code === 0) return { kind: 'ended' };
  // The last line of a report says what was wrong, those above it where in the script.
  const reason = report.trim().split('\n').at(-1) || `it ended with ${code ?? by}`;
  if (code === EXIT.noLibrary || code === EXIT.notConfined || code === 127)
    return { kind: 'missing', reason };
  if (code === EXIT.unreadable || code === EXIT.notOpened) return { kind: 'unreadable', reason };
  return { kind: 'crashed', reason };
}

async function readReport(stderr: Readable): Promise<string> {
  let report = '';
  for await (const chunk of stderr) {
    if (report.length < MAX_REPORT) report += String(chunk);
  }
  return report.slice(0, MAX_REPORT);
}
