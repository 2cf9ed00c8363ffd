import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A password to set; a generated one is shown to the operator once. */
export interface ChosenPassword {
  readonly password: string;
  readonly generated: boolean;
}

/**
 * Chooses a password: the first line of standard input with `fromStdin`; otherwise asked for without echo on a terminal, where
 * an empty answer generates one; otherwise generated.
 */
export async function choosePassword(fromStdin: boolean): Promise<ChosenPassword> {
  if (fromStdin) return { password: await readLine(process.stdin), generated: false };
  const typed = process.stdin.isTTY ? await ask('Password (empty to generate one): ') : '';
  return typed === ''
    ? { password: randomBytes(15).toString('base64url'), generated: true }
    : { password: typed, generated: false };
}

/** Reads an existing secret: asked for without echo on a terminal, otherwise the first line of standard input. */
export function askSecret(question: string): Promise<string> {
  return process.stdin.isTTY ? ask(question) : readLine(process.stdin);
}

async function readLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}

function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    let answer = '';
    terminal.once('line', (line) => {
      answer = line;
      terminal.close();
    });
    terminal.once('close', () => {
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
