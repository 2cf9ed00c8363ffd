import type { DataSource } from 'typeorm';
import type { ArchiveStore, ArchiveStores } from '../../../src/archive/files/archive-store.port';
import { asDouble } from '../app-pool';
import { waitFor } from '../wait';

/** Hooks around the calls of the real store; throwing simulates an unavailable one. */
export interface StoreBehaviour {
  readonly beforePut?: (key: string) => Promise<void>;
  readonly afterPut?: (key: string) => Promise<void>;
  readonly beforeDelete?: (key: string) => Promise<void>;
  readonly afterDelete?: (key: string) => Promise<void>;
  readonly beforeRead?: () => Promise<void>;
  readonly beforeHash?: () => Promise<void>;
}

export interface Gate {
  /** Resolves when the first call is waiting. */
  readonly reached: Promise<void>;
  open(): void;
}

/** The application's stores with a say for the test: calls fail, or wait until it lets them on. */
export class StoreDouble {
  private behaviour: StoreBehaviour = {};

  private constructor() {}

  /** Stays between the application and its stores until the application ends. */
  static over(stores: ArchiveStores): StoreDouble {
    const double = new StoreDouble();
    const named = stores.find.bind(stores);
    const forWriting = stores.findForWriting.bind(stores);
    const ofUser = stores.listOfUser.bind(stores);
    stores.find = asDouble(async (storage: string, ownerId?: string) =>
      double.wrap(await named(storage, ownerId)),
    );
    stores.findForWriting = asDouble(async (userId: string) => {
      const { storage, store } = await forWriting(userId);
      return { storage, store: double.wrap(store) };
    });
    stores.listOfUser = asDouble(async (userId: string) => {
      const named = await ofUser(userId);
      return named.map(({ storage, store }) => ({ storage, store: double.wrap(store) }));
    });
    return double;
  }

  behave(behaviour: StoreBehaviour): void {
    this.behaviour = behaviour;
  }

  /** Holds up every call of one kind, before or after (`putDone`, `deleteDone`) it is done. */
  gate(at: 'put' | 'putDone' | 'delete' | 'deleteDone' | 'read' | 'hash'): Gate {
    let reach = (): void => undefined;
    let open = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    const wait = async (): Promise<void> => {
      reach();
      await opened;
    };
    const names = {
      put: 'beforePut',
      putDone: 'afterPut',
      delete: 'beforeDelete',
      deleteDone: 'afterDelete',
      read: 'beforeRead',
      hash: 'beforeHash',
    } as const;
    this.behaviour = { ...this.behaviour, [names[at]]: wait };
    return { reached, open };
  }

  /** Waits until a statement that contains `text` waits for a lock. */
  async waitForLock(dataSource: DataSource, text: string): Promise<void> {
    await waitFor(`a statement with ${text} to wait for a lock`, async () => {
      const waiting = await dataSource.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND position($1 IN query) > 0`,
        [text],
      );
      return waiting.length > 0;
    });
  }

  private wrap(store: ArchiveStore): ArchiveStore {
    return {
      put: async (key, bytes, options) => {
        await this.behaviour.beforePut?.(key);
        await store.put(key, bytes, options);
        await this.behaviour.afterPut?.(key);
      },
      putStream: async (key, size, open, options) => {
        await this.behaviour.beforePut?.(key);
        await store.putStream(key, size, open, options);
        await this.behaviour.afterPut?.(key);
      },
      delete: async (key, options) => {
        await this.behaviour.beforeDelete?.(key);
        await store.delete(key, options);
        await this.behaviour.afterDelete?.(key);
      },
      get: (key, range, options) => store.get(key, range, options),
      read: (key, options) => store.read(key, options),
      readMany:
        store.readMany &&
        (async (objects) => {
          await this.behaviour.beforeRead?.();
          return store.readMany!(objects);
        }),
      exists: (key) => store.exists(key),
      hash: async (key) => {
        await this.behaviour.beforeHash?.();
        return store.hash(key);
      },
      list: (prefix, options) => store.list(prefix, options),
      removeUnfinished:
        store.removeUnfinished && ((prefix, options) => store.removeUnfinished!(prefix, options)),
    };
  }
}
