import { readlinkSync } from 'node:fs';
import { FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WRITES = ['write', 'writev', 'writeFile', 'appendFile'] as const;

interface Handle extends FileHandle {
  readonly constructor: { readonly prototype: FileHandle };
}

/**
 * A disk with no room below a folder, as far as file handles go, which is how everything here is written: no file system
 * has to be mounted for it. Holds for the whole process until `makeRoom`.
 */
export class FullDisk {
  private readonly originals = new Map<string, unknown>();

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
  }

  private fill(): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const disk = this;
    for (const name of WRITES) {
      const original = this.prototype[name] as (...args: unknown[]) => Promise<unknown>;
      this.originals.set(name, original);
      const limited = async function (this: FileHandle, ...args: unknown[]): Promise<unknown> {
        disk.charge(this);
        return original.apply(this, args);
      };
      Object.assign(this.prototype, { [name]: limited });
    }
  }

  private charge(handle: FileHandle): void {
    if (!readlinkSync(`/proc/self/fd/${handle.fd}`).startsWith(this.folder)) return;
    if (this.room-- > 0) return;
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  }
}
