import { MailroomError } from '../errors.js';
import { delay } from '../http/waiting.js';
import type { Authentication } from './authentication.js';

/** The part of the Web Locks API that is used; pages without TLS do not have it, nor does Node 20. */
interface Locks {
  request<T>(
    name: string,
    options: { readonly ifAvailable?: boolean },
    held: (lock: unknown) => Promise<T>,
  ): Promise<T>;
}

const LOCK = 'mailroom-refresh';
/** Pause before the next try, in milliseconds: the answer to the other tab, with its cookies, is on its way. */
const OTHER_TAB_MS = 500;
/** Number of tries, eight seconds in total: after ten the service takes a token that was used before for a stolen one. */
const OTHER_TAB_TRIES = 16;

/**
 * A session in the cookies of a browser, which sends them by itself. All tabs share the cookies: one of them renews the
 * session, the others wait until it has done so and call again.
 */
export class CookieSession implements Authentication {
  private pending: Promise<void> | null = null;

  constructor(private readonly refresh: () => Promise<unknown>) {}

  token(): Promise<null> {
    return Promise.resolve(null);
  }

  async renew(): Promise<boolean> {
    this.pending ??= this.renewOnce().finally(() => {
      this.pending = null;
    });
    await this.pending;
    return true;
  }

  private async renewOnce(): Promise<void> {
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    if (!locks) {
      await this.exchange();
      return;
    }
    const isMine = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await this.exchange();
      return lock !== null;
    });
    if (!isMine) await locks.request(LOCK, {}, () => Promise.resolve());
  }

  private async exchange(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.refresh();
        return;
      } catch (error) {
        const isOtherTab = error instanceof MailroomError && error.code === 'refresh-in-progress';
        if (!isOtherTab || tries === OTHER_TAB_TRIES) throw error;
        await delay(OTHER_TAB_MS);
      }
    }
  }
}
