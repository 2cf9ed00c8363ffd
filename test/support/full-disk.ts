import { readlinkSync } from 'node:fs';
import { FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilesToWrite } from '../../src/archive/files/write-files.task';
import { WorkerPool, type WorkerTask } from '../../src/platform/workers/worker-pool';

const WRITES = ['write', 'writev', 'writeFile', 'appendFile'] as const;

interface Handle extends FileHandle {
  readonly constructor: { readonly prototype: FileHandle };
}

const isWriting = (input: unknown): input is FilesToWrite =>
  typeof input === 'object' && input !== null && 'targets' in input && 'folder' in input;

/**
 * A disk with no room below a folder, as far as file handles and the files that worker threads write go, which is how
 * everything here is written: no file system has to be mounted for it. Holds for the whole process until `makeRoom`.
 */
export class FullDisk {
  private readonly originals = new Map<string, unknown>();
  private readonly run = WorkerPool.prototype.run;

  private constructor(
    private readonly prototype: FileHandle,
    private readonly folder: string,
    private room: number,
  ) {}

  /** @param room how many more writes succeed */
  static async below(folder: string, room = 0): Promise<FullDisk> {
    const directory = await mkdtemp(join(tmpdir(), 'mailroom-full-'));
    const handle = (await open(join(directory, 'any'), 'w')) as Handle;
    const { prototype } = handle.constructor;
    await handle.close();
    await rm(directory, { recursive: true });
    const disk = new FullDisk(prototype, folder, room);
    disk.fill();
    return disk;
  }

  makeRoom(): void {
    for (const [name, original] of this.originals) Object.assign(this.prototype, { [name]: original });
    this.originals.clear();
    WorkerPool.prototype.run = this.run;
  }

  private fill(): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const disk = this;
    for (const name of WRITES) {
      const original = this.prototype[name] as (...args: unknown[]) => Promise<unknown>;
      this.originals.set(name, original);
      const limited = async function (this: FileHandle, ...args: unknown[]): Promise<unknown> {
        disk.charge(readlinkSync(`/proc/self/fd/${this.fd}`));
        return original.apply(this, args);
      };
      Object.assign(this.prototype, { [name]: limited });
    }
    const { run } = this;
    // Threads have file handles of their own: what they are given to write is counted before.
    WorkerPool.prototype.run = async function <I, O>(
      this: WorkerPool,
      task: WorkerTask,
      input: I,
      ...options: unknown[]
    ): Promise<O> {
      if (isWriting(input)) for (const target of input.targets) disk.charge(target);
      return run.apply(this, [task, input, ...options] as never) as Promise<O>;
    };
  }

  private charge(path: string): void {
    if (!path.startsWith(this.folder)) return;
    if (this.room-- > 0) return;
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  }
}
