import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { FileDeletions } from './file-deletions';
import { FileDeletionsRepository, DeletionState } from './file-deletions.repository';

/** Watches keys of a store from before their files are written until their rows are. */
@Injectable()
export class RemovalWatches {
  constructor(
    private readonly repository: FileDeletionsRepository,
    private readonly removals: FileDeletions,
  ) {}

  open(storage: string): RemovalWatch {
    return new RemovalWatch(storage, this.repository, this.removals);
  }
}

/** Tells whether files may have been deleted, or may yet be, by a removal of an earlier file with the same key. */
export class RemovalWatch {
  private readonly seen = new Map<string, string>();

  constructor(
    private readonly storage: string,
    private readonly repository: FileDeletionsRepository,
    private readonly removals: FileDeletions,
  ) {}

  /** To be called before files are written, each time they are: whatever is to be removed goes first. */
  async begin(storageKeys: readonly string[]): Promise<void> {
    let states = await this.repository.states(this.storage, storageKeys);
    const pending = [...states].filter(([, { isPending }]) => isPending).map(([key]) => key);
    if (pending.length > 0) {
      await this.removals.carryOut(pending.map((storageKey) => ({ storage: this.storage, storageKey })));
      states = await this.repository.states(this.storage, storageKeys);
    }
    for (const key of storageKeys) this.seen.set(key, versionOf(states.get(key)));
  }

  /**
   * Keys whose files have to be written again. Compares versions instead of clocks, which may be set back.
   * @param transaction holds the lock of the account's archive: nobody registers a removal before it ends
   */
  async endangered(storageKeys: readonly string[], transaction: Transaction): Promise<string[]> {
    const states = await this.repository.states(this.storage, storageKeys, transaction);
    return [...states]
      .filter(([key, state]) => state.isPending || state.version !== this.seen.get(key))
      .map(([key]) => key);
  }
}

const versionOf = (state: DeletionState | undefined): string => state?.version ?? '';
