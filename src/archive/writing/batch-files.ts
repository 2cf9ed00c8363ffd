import type { RemovalWatch } from '../../archive-storage/removal-watch';
import type { ArchiveStore } from '../../archive-storage/archive-store.port';
import { mapConcurrently } from '../../common/concurrency/map-concurrently';
import type { NewArchivedMail } from './mail-to-archive';

/** Enough to share the disk's syncs between files; more only opens more files. */
const CONCURRENT_WRITES = 48;

/** The files of one batch, from before they are written until their rows are. */
export class BatchFiles {
  private readonly byKey: ReadonlyMap<string, NewArchivedMail>;

  constructor(
    mails: readonly NewArchivedMail[],
    private readonly store: ArchiveStore,
    readonly watch: RemovalWatch,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.byKey = new Map(mails.map((mail) => [mail.storageKey, mail]));
  }

  put(): Promise<void> {
    return this.write([...this.byKey.keys()]);
  }

  /** Writes files, some of them once more because they may have been removed. */
  async write(storageKeys: readonly string[]): Promise<void> {
    if (storageKeys.length === 0) return;
    await this.watch.begin(storageKeys);
    const put = async (key: string): Promise<void> => {
      const { mail } = this.byKey.get(key) as NewArchivedMail;
      await this.store.put(key, mail.raw, { signal: this.signal });
    };
    const puts = mapConcurrently(storageKeys, put, {
      concurrency: CONCURRENT_WRITES,
      maxWaiting: storageKeys.length,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    for await (const _done of puts);
  }
}
