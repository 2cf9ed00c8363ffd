interface QuotaPreset {
  readonly unitsPerSecond: number;
  readonly unitsPerMinute: number;
  readonly unitCosts: Readonly<Record<string, number>>;
}

const OLDER_COSTS: Readonly<Record<string, number>> = {
  'profile.get': 1,
  'messages.list': 5,
  'messages.get': 5,
  'messages.attachments.get': 5,
  'messages.modify': 5,
  'messages.batchModify': 50,
  'messages.delete': 10,
  'messages.batchDelete': 50,
  'messages.insert': 25,
  'messages.import': 25,
  'labels.list': 1,
  'labels.get': 1,
  'labels.create': 5,
  'labels.delete': 5,
  'threads.get': 10,
  'history.list': 2,
};

/**
 * Quota limits and unit costs by generation of the provider's table. Projects created before May 2026 keep
 * the older costs (`gmail`); newer ones have 6,000 units a minute and dearer reads (`gmail-2026`).
 */
export const QUOTA_PRESETS: Readonly<Record<'gmail' | 'gmail-2026', QuotaPreset>> = {
  gmail: { unitsPerSecond: 250, unitsPerMinute: 15_000, unitCosts: OLDER_COSTS },
  'gmail-2026': {
    unitsPerSecond: 250,
    unitsPerMinute: 6_000,
    unitCosts: { ...OLDER_COSTS, 'messages.get': 20, 'messages.attachments.get': 20, 'threads.get': 40 },
  },
};

/** `messages.get=20, history.list=2` → a cost table that overrides the preset's. */
export function parseUnitCosts(text: string | undefined): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const entry of (text ?? '').split(',')) {
    const [endpoint, units] = entry.split('=').map((part) => part.trim());
    if (endpoint && units) costs[endpoint] = Number(units);
  }
  return costs;
}
