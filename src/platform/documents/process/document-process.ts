import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from '../../concurrency/timers';
import { CONFINE_EXIT, CONFINED_ENVIRONMENT, confinedCommand } from '../../confinement/confined-command';
import { compiledModule } from '../../workers/compiled-module';
import type { DocumentReading } from '../document-text';
import { type DocumentHeader, frameStart } from './document-frames';

const MIB = 1024 * 1024;
const NOT_CONFINED: ReadonlySet<number | null> = new Set(Object.values(CONFINE_EXIT));
/**
 * V8 reserves the range of its code as memory that it may write to from Node 22 on, which the limit counts whole, though little of
 * it is used.
 */
export const RESERVED_BYTES = Number(process.versions.node.split('.')[0]) >= 22 ? 512 * MIB : 0;
const LINE_FEED = 0x0a;
const MAX_REPORT = 2_000;

/** Limits of the process that reads documents. */
export interface DocumentProcessLimits {
  /** Memory that it may write to (RLIMIT_DATA); V8 reserves far more addresses than it uses. */
  readonly maxMemoryBytes: number;
  /** Heap of V8 in MiB. */
  readonly maxHeapMib: number;
  /** Processor time of all documents that one process reads, in seconds. */
  readonly maxCpuSeconds: number;
  /** Time for one document in milliseconds. */
  readonly maxMs: number;
  /** Answer to one document in bytes. */
  readonly maxAnswerBytes: number;
  /** Documents after which another process goes on. */
  readonly maxDocuments: number;
}

export const DOCUMENT_PROCESS_LIMITS: DocumentProcessLimits = {
  maxMemoryBytes: 512 * MIB,
  maxHeapMib: 256,
  maxCpuSeconds: 600,
  maxMs: 30_000,
  maxAnswerBytes: 64 * MIB,
  maxDocuments: 200,
};

/** Result of the reading of a document. */
export type DocumentOutcome =
  | { readonly kind: 'read'; readonly reading: DocumentReading }
  /** The document made the process end, or it had to be killed. */
  | { readonly kind: 'crashed'; readonly reason: string }
  /** Documents cannot be read on this machine. */
  | { readonly kind: 'missing'; readonly reason: string };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Reads documents in a process with limits of the operating system and without network, one at a time. It starts with the first
 * document and is replaced when it ends. Calls must not overlap.
 */
export class DocumentProcess {
  private running: RunningProcess | null = null;

  constructor(private readonly limits: DocumentProcessLimits = DOCUMENT_PROCESS_LIMITS) {}

  /** @throws the signal's reason; the process is killed then */
  async read(header: DocumentHeader, bytes: Buffer, signal: AbortSignal): Promise<DocumentOutcome> {
    signal.throwIfAborted();
    if (this.running?.isSpent) await this.close();
    const process = (this.running ??= new RunningProcess(this.limits));
    const outcome = await process.read(header, bytes, signal);
    if (outcome.kind !== 'read') await this.close();
    signal.throwIfAborted();
    return outcome;
  }

  async close(): Promise<void> {
    const { running } = this;
    this.running = null;
    await running?.kill();
  }
}

class RunningProcess {
  private readonly child: Child;
  private readonly ended: Promise<{ code: number | null; reason: string }>;
  private readonly answers: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);
  private documents = 0;
  private report = '';

  constructor(private readonly limits: DocumentProcessLimits) {
    const confinement = {
      maxDataBytes: limits.maxMemoryBytes + RESERVED_BYTES,
      maxCpuSeconds: limits.maxCpuSeconds,
      readable: null,
      isAlone: false,
    };
    const [command, parameters] = confinedCommand(confinement, nodeCommand(limits));
    this.child = spawn(command, parameters, { env: CONFINED_ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve({ code: CONFINE_EXIT.notFound, reason: error.message }));
      this.child.once('close', (code, by) => resolve({ code, reason: `it ended with ${code ?? by}` }));
    });
    // A process that ends while it is written to is noticed by its end.
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (chunk: Buffer) => {
      if (this.report.length < MAX_REPORT) this.report += chunk.toString('utf8');
    });
    this.answers = (this.child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  get isSpent(): boolean {
    return this.documents >= this.limits.maxDocuments || this.child.exitCode !== null;
  }

  async read(header: DocumentHeader, bytes: Buffer, signal: AbortSignal): Promise<DocumentOutcome> {
    this.documents += 1;
    let killedFor: string | null = null;
    const kill = (reason: string): void => {
      killedFor ??= reason;
      this.child.kill('SIGKILL');
    };
    const abort = (): void => kill('it was interrupted');
    const late = setTimeout(() => kill('it did not end in time'), this.limits.maxMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.child.stdin.write(frameStart(header, bytes.length));
      this.child.stdin.write(bytes);
      const line = await this.readLine(() => kill('its answer is too long'));
      if (line !== null) return { kind: 'read', reading: JSON.parse(line) as DocumentReading };
      const { code, reason } = await this.ended;
      const reported = this.report.trim().split('\n').at(-1) || reason;
      if (killedFor === null && NOT_CONFINED.has(code)) return { kind: 'missing', reason: reported };
      return { kind: 'crashed', reason: killedFor ?? reported };
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', abort);
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    this.child.stdout.destroy();
    await this.ended;
  }

  /** The next line of the answers; null: the process has ended. */
  private async readLine(onTooLong: () => void): Promise<string | null> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (let piece = this.held; ;) {
      const end = piece.indexOf(LINE_FEED);
      length += end < 0 ? piece.length : end;
      if (length > this.limits.maxAnswerBytes) {
        onTooLong();
        this.child.stdout.destroy();
        return null;
      }
      if (end >= 0) {
        this.held = piece.subarray(end + 1);
        return Buffer.concat([...pieces, piece.subarray(0, end)]).toString('utf8');
      }
      pieces.push(piece);
      const next = await this.answers.next();
      if (next.done === true) return null;
      piece = next.value;
    }
  }
}

/** Node may read its own code, and write or start nothing. */
function nodeCommand({ maxHeapMib }: DocumentProcessLimits): string[] {
  const main = compiledModule(require.resolve('./document-process.main'));
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const packages = join(dirname(require.resolve('unpdf')), '../..');
  return [
    process.execPath,
    `--max-old-space-size=${maxHeapMib}`,
    permission,
    `--allow-fs-read=${join(dirname(main), '../../../..')}/`,
    `--allow-fs-read=${packages}/`,
    '--no-warnings',
    main,
  ];
}
