import { spawn } from 'node:child_process';
import { setTimeout } from '../concurrency/timers';
import { CONFINE_EXIT, CONFINED_ENVIRONMENT, type Confinement, confinedCommand } from './confined-command';

const MAX_REPORT = 2_000;

export interface ConfinedRun {
  readonly program: readonly string[];
  readonly confinement: Confinement;
  /** Standard input. */
  readonly input: Buffer;
  /** Time in milliseconds after which it is killed. */
  readonly maxMs: number;
  /** Bytes of standard output after which it is killed. */
  readonly maxOutputBytes: number;
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export type ConfinedOutcome =
  | { readonly kind: 'ended'; readonly output: Buffer }
  /** The program says that it cannot do it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It was ended by a signal, or killed for a limit. */
  | { readonly kind: 'crashed'; readonly reason: string }
  /** The program is not there, or cannot be confined on this machine. */
  | { readonly kind: 'missing'; readonly reason: string };

/** Runs a program for an untrusted file, and collects what it writes. @throws the signal's reason; the program is killed then */
export async function runConfined(run: ConfinedRun, signal: AbortSignal): Promise<ConfinedOutcome> {
  signal.throwIfAborted();
  const [command, parameters] = confinedCommand(run.confinement, run.program);
  const child = spawn(command, parameters, {
    env: { ...CONFINED_ENVIRONMENT, ...run.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<{ code: number | null; reason: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: CONFINE_EXIT.notFound, reason: error.message }));
    child.once('close', (code, by) => resolve({ code, reason: `it ended with ${code ?? by}` }));
  });
  let killedFor: string | null = null;
  const kill = (reason: string): void => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const abort = (): void => kill('it was interrupted');
  const late = setTimeout(() => kill('it did not end in time'), run.maxMs);
  signal.addEventListener('abort', abort, { once: true });
  let report = '';
  const output: Buffer[] = [];
  let length = 0;
  // A program that ends before it has read its input is noticed by its end.
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => {
    if (report.length < MAX_REPORT) report += chunk.toString('utf8');
  });
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > run.maxOutputBytes) kill('its answer is too long');
    else output.push(chunk);
  });
  try {
    child.stdin.end(run.input);
    const { code, reason } = await ended;
    signal.throwIfAborted();
    if (killedFor !== null) return { kind: 'crashed', reason: killedFor };
    const reported = report.trim().split('\n').at(-1) || reason;
    if (code === 0) return { kind: 'ended', output: Buffer.concat(output) };
    if (code === CONFINE_EXIT.notConfined || code === CONFINE_EXIT.notFound)
      return { kind: 'missing', reason: reported };
    return { kind: code === null ? 'crashed' : 'refused', reason: reported };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', abort);
  }
}
