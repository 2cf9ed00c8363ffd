/** State of a person's start page that this browser remembers. */
export interface HomeMemory {
  /** The list of the first week was taken away. */
  readonly hidden?: boolean;
  /** Backups were set up, which the service cannot see. */
  readonly backup?: boolean;
  /** When the person was last here. */
  readonly seenAt?: string;
}

const keyOf = (userId: string): string => `mailroom-home-${userId}`;

export function readMemory(userId: string): HomeMemory {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch (error) {
    // The stored text may have been changed by hand.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export function remember(userId: string, changes: HomeMemory): void {
  localStorage.setItem(keyOf(userId), JSON.stringify({ ...readMemory(userId), ...changes }));
}

/** When each person of this page was here before, as it was when the page was loaded. */
const visits = new Map<string, string | undefined>();

/** When the person was last here before they opened this page; undefined at the first visit. From now on they are here. */
export function lastVisit(userId: string): string | undefined {
  if (visits.has(userId)) return visits.get(userId);
  const { seenAt } = readMemory(userId);
  visits.set(userId, seenAt);
  const note = (): void => remember(userId, { seenAt: new Date().toISOString() });
  note();
  // The page is left, or another tab is looked at.
  document.addEventListener('visibilitychange', note);
  return seenAt;
}
