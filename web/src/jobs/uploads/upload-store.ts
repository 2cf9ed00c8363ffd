import { mailroom } from '../../api/client';
import { noteStart } from '../../api/started-jobs';
import { hasCode, waitBeforeRetry } from '../../api/problems';
import type { Sample } from '../rate';
import { refusalOf, type Refusal } from './check-file';

/** A file on its way to the service. */
export interface Upload {
  /** In this tab. */
  readonly id: number;
  readonly accountId: string;
  readonly filename: string;
  readonly size: number;
  /** Bytes that have arrived. */
  readonly sent: number;
  /** `waiting`: it goes on by itself. */
  readonly status: 'queued' | 'running' | 'waiting' | 'paused' | 'failed' | 'refused';
  /** At the service; null until it knows of the file. */
  readonly uploadId: string | null;
  /** Start of the measurement of the rate; null before it. */
  readonly since: Sample | null;
  readonly error: unknown;
  /** When it is tried again, in milliseconds. */
  readonly retryAt: number | null;
  readonly refusal: Refusal | null;
}

/** An upload that was begun before, here or elsewhere. */
export interface Begun {
  readonly id: string;
  readonly offset: number;
}

interface Entry extends Upload {
  readonly file: File;
  readonly abortion: AbortController;
}

/** In this order the pauses before another try grow. */
const WAITS_MS = [2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * The uploads of this tab, one at a time. They go on while the person looks at other pages, and by themselves once the
 * service can be reached again.
 */
export class UploadStore {
  private entries: readonly Entry[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly settled = new Set<string>();
  private readonly filenames = new Map<string, string>();
  private lastId = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Upload[] => this.entries;

  /** Uploads at the service that this tab deals with, or has dealt with. */
  isKnown(uploadId: string): boolean {
    return this.settled.has(uploadId) || this.entries.some((entry) => entry.uploadId === uploadId);
  }

  /** The name of the file that a job imports, if it was sent from here. */
  filenameOf(jobId: string): string | undefined {
    return this.filenames.get(jobId);
  }

  /** Uploads that closing the page would interrupt. */
  get open(): readonly Upload[] {
    return this.entries.filter(({ status }) => status !== 'failed' && status !== 'refused');
  }

  /** @param most bytes that the service takes; undefined while that is not known */
  async add(accountId: string, files: readonly File[], most: number | undefined): Promise<void> {
    for (const file of files) this.put(accountId, file, await refusalOf(file, most));
    this.startNext();
  }

  /** Goes on with an upload that was begun before; the file is the same. */
  resume(accountId: string, begun: Begun, file: File): void {
    this.put(accountId, file, null, begun);
    this.startNext();
  }

  pause(id: number): void {
    this.interrupt(id);
    this.change(id, { status: 'paused', retryAt: null });
    this.startNext();
  }

  /** After a pause or a failure. */
  goOn(id: number): void {
    const entry = this.find(id);
    if (!entry) return;
    // The service has given it up: it is sent from the beginning.
    const lost = hasCode(entry.error, 'upload-not-found');
    this.change(id, { status: 'queued', error: null, ...(lost ? { uploadId: null, sent: 0 } : {}) });
    this.startNext();
  }

  /** Gives an upload up, here and at the service. @throws what the service says; then it stays, paused */
  async cancel(id: number): Promise<void> {
    const entry = this.find(id);
    if (!entry) return;
    this.pause(id);
    if (entry.uploadId !== null) await discard(entry.accountId, entry.uploadId);
    this.remove(id);
  }

  private put(accountId: string, file: File, refusal: Refusal | null, begun?: Begun): void {
    const entry: Entry = {
      id: (this.lastId += 1),
      accountId,
      file,
      filename: file.name,
      size: file.size,
      sent: begun?.offset ?? 0,
      status: refusal === null ? 'queued' : 'refused',
      uploadId: begun?.id ?? null,
      since: null,
      error: null,
      retryAt: null,
      refusal,
      abortion: new AbortController(),
    };
    this.set([...this.entries, entry]);
  }

  private startNext(): void {
    if (this.entries.some(({ status }) => status === 'running' || status === 'waiting')) return;
    const next = this.entries.find(({ status }) => status === 'queued');
    if (next) void this.run(next.id);
  }

  private async run(id: number): Promise<void> {
    const abortion = new AbortController();
    this.change(id, { abortion });
    const { signal } = abortion;
    for (let failures = 0; ; failures += 1) {
      const before = this.find(id)?.sent ?? 0;
      try {
        await this.send(id, signal);
        break;
      } catch (error) {
        if (signal.aborted) return;
        if ((this.find(id)?.sent ?? 0) > before) failures = 0;
        const waitMs = waitBeforeRetry(error, WAITS_MS[Math.min(failures, WAITS_MS.length - 1)]!);
        if (waitMs === null) {
          this.change(id, { status: 'failed', error });
          break;
        }
        this.change(id, { status: 'waiting', error, retryAt: Date.now() + waitMs });
        await untilThenOrOnline(waitMs, signal);
        if (signal.aborted) return;
      }
    }
    this.startNext();
  }

  private async send(id: number, signal: AbortSignal): Promise<void> {
    const { accountId, file, filename, uploadId } = this.find(id)!;
    this.change(id, { status: 'running', error: null, retryAt: null, since: null });
    const { jobId } = await mailroom.uploadFile(accountId, file, {
      uploadId: uploadId ?? undefined,
      signal,
      onProgress: ({ uploadId: begun, sent }) => {
        const since = this.find(id)?.since ?? { at: Date.now(), processed: sent };
        this.change(id, { uploadId: begun, sent, since });
      },
    });
    noteStart({ jobId });
    this.filenames.set(jobId, filename);
    this.remove(id);
  }

  private interrupt(id: number): void {
    this.find(id)?.abortion.abort(new DOMException('Interrupted', 'AbortError'));
  }

  private find(id: number): Entry | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  private change(id: number, changes: Partial<Entry>): void {
    this.set(this.entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  }

  private remove(id: number): void {
    const uploadId = this.find(id)?.uploadId;
    if (uploadId) this.settled.add(uploadId);
    this.set(this.entries.filter((entry) => entry.id !== id));
  }

  private set(entries: readonly Entry[]): void {
    this.entries = entries;
    for (const listener of this.listeners) listener();
  }
}

/** Deletes an upload at the service. One that the service no longer has counts as deleted. */
async function discard(accountId: string, uploadId: string): Promise<void> {
  try {
    await mailroom.import.deleteUpload({ accountId, uploadId });
  } catch (error) {
    if (!hasCode(error, 'upload-not-found')) throw error;
  }
}

/** Resolves when the time is over, the browser has a connection again, or the signal is aborted. */
function untilThenOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const leaving = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      leaving.abort();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done, { signal: leaving.signal });
    signal.addEventListener('abort', done, { signal: leaving.signal });
  });
}

export const uploads = new UploadStore();
