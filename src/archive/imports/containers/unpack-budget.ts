import { ImportTooManyFiles, ImportUnpacksTooLarge } from '../imports.errors';

const MIB = 1024 * 1024;
/** Greatest ratio of unpacked to packed bytes of one file, beyond small ones: mail packs to a third, logs to a twentieth. */
const MAX_RATIO = 200;
/** Greatest ratio of all unpacked bytes, over all levels of archives, to those of the upload. */
const MAX_TOTAL_RATIO = 1_000;
const FREE_OF_RATIO = 64 * MIB;

export interface UnpackLimits {
  /** Most bytes that all compressed files of an upload may unpack to. */
  readonly maxUnpackedBytes: number;
  /** Most files in the archives of an upload, at all levels together. */
  readonly maxFiles: number;
}

/** Counts what an upload unpacks to, and ends the import of one that unpacks to far more than mail of its size can. */
export class UnpackBudget {
  private unpackedBytes = 0;
  private files = 0;

  /** @param uploadBytes size of the upload on disk */
  constructor(
    private readonly limits: UnpackLimits,
    private readonly uploadBytes: number,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Counts bytes that were unpacked.
   * @param unpacked of this file so far
   * @param packed of this file so far
   * @throws ImportUnpacksTooLarge; the reason of the signal
   */
  add(bytes: number, unpacked: number, packed: number): void {
    this.signal.throwIfAborted();
    this.unpackedBytes += bytes;
    const isBomb = unpacked > FREE_OF_RATIO && unpacked > packed * MAX_RATIO;
    const most = Math.max(FREE_OF_RATIO, this.uploadBytes * MAX_TOTAL_RATIO);
    if (isBomb || this.unpackedBytes > Math.min(most, this.limits.maxUnpackedBytes))
      throw new ImportUnpacksTooLarge();
  }

  /** Does work whose bytes will be unpacked once more. */
  async withoutCounting<T>(work: () => Promise<T>): Promise<T> {
    const before = this.unpackedBytes;
    const result = await work();
    this.unpackedBytes = before;
    return result;
  }

  /** Counts a file of an archive. @throws ImportTooManyFiles */
  addFile(): void {
    this.files += 1;
    this.checkFiles(this.files);
  }

  /** @throws ImportTooManyFiles when an archive has more files than are read */
  checkFiles(count: number): void {
    if (count > this.limits.maxFiles) throw new ImportTooManyFiles(this.limits.maxFiles);
  }
}
