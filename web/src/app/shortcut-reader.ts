/** Pages that `g` and a letter lead to. */
export const GO_TO = {
  h: { to: '/a/$accountId/overview', text: 'home' },
  m: { to: '/a/$accountId/mailbox', text: 'mail' },
  a: { to: '/a/$accountId/archive', text: 'archive' },
  c: { to: '/a/$accountId/space', text: 'cleanUp' },
  n: { to: '/a/$accountId/newsletters', text: 'newsletters' },
  r: { to: '/a/$accountId/rules', text: 'rules' },
  i: { to: '/a/$accountId/insights', text: 'insights' },
  p: { to: '/a/$accountId/keep', text: 'protect' },
  s: { to: '/settings', text: 'settings' },
  t: { to: '/a/$accountId/transfer', text: 'transfer' },
} as const;

/** Action of a key on the page; null for none. */
export type Shortcut =
  | { readonly kind: 'help' | 'search' }
  | { readonly kind: 'go'; readonly page: keyof typeof GO_TO };

/** The second key of two has to come within this time. */
const PAIR_MS = 1_500;

/** Understands single keys, and `g` followed by a letter. */
export class ShortcutReader {
  private goAt = -Infinity;

  /** @param at milliseconds */
  read(key: string, at: number): Shortcut | null {
    const isSecond = at - this.goAt < PAIR_MS;
    this.goAt = -Infinity;
    if (isSecond && key in GO_TO) return { kind: 'go', page: key as keyof typeof GO_TO };
    if (key === 'g') this.goAt = at;
    if (key === '/') return { kind: 'search' };
    return key === '?' ? { kind: 'help' } : null;
  }
}
