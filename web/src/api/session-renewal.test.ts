import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The locks of a browser, which all of its tabs share. */
class FakeLocks {
  private last: Promise<unknown> | null = null;

  async request<T>(
    _name: string,
    { ifAvailable }: { readonly ifAvailable?: boolean },
    held: (lock: unknown) => Promise<T>,
  ): Promise<T> {
    if (ifAvailable && this.last) return held(null);
    const work = (this.last ?? Promise.resolve()).then(() => held({}));
    this.last = work;
    return work.finally(() => {
      if (this.last === work) this.last = null;
    });
  }
}

/** The client of another tab: each call loads the module again. */
async function aTab(): Promise<typeof import('./client')> {
  vi.resetModules();
  return import('./client');
}

describe('a session in several tabs', () => {
  let renewals: number;
  let isFresh: boolean;
  /** Response of the service to a renewal. */
  let renew: () => Response;

  beforeEach(() => {
    renewals = 0;
    isFresh = false;
    renew = () => {
      isFresh = true;
      return Response.json({});
    };
    vi.stubGlobal(
      'fetch',
      vi.fn((request: Request) => {
        if (request.url.endsWith('/auth/refresh')) {
          renewals += 1;
          return Promise.resolve(renew());
        }
        if (isFresh) return Promise.resolve(Response.json([]));
        return Promise.resolve(Response.json({ code: 'unauthorized', detail: 'D.' }, { status: 401 }));
      }),
    );
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'locks');
  });

  it('should be renewed by one of them, under a lock, for all requests', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: new FakeLocks() });
    const tabs = [await aTab(), await aTab(), await aTab()];
    const asked = tabs.flatMap(({ call }) => [
      call('mailbox.listLabels', { accountId: 'a' }),
      call('mailbox.listLabels', { accountId: 'b' }),
    ]);
    expect(await Promise.all(asked)).toEqual([[], [], [], [], [], []]);
    expect(renewals).toBe(1);
  });

  it('should work without locks, when the service reports that another tab is renewing it', async () => {
    renew = () => {
      isFresh = true;
      // The cookies of the other tab's renewal are there at the third try.
      return renewals !== 2
        ? Response.json({})
        : Response.json({ code: 'refresh-in-progress', detail: 'D.' }, { status: 409 });
    };
    const tabs = [await aTab(), await aTab()];
    const asked = tabs.map(({ call }) => call('mailbox.listLabels', { accountId: 'a' }));
    expect(await Promise.all(asked)).toEqual([[], []]);
    expect(renewals).toBe(3);
  });

  it('should end for all of them when it cannot be renewed', async () => {
    renew = () => Response.json({ code: 'invalid-refresh-token', detail: 'D.' }, { status: 401 });
    const { call } = await aTab();
    await expect(call('mailbox.listLabels', { accountId: 'a' })).rejects.toMatchObject({
      code: 'invalid-refresh-token',
    });
  });
});
