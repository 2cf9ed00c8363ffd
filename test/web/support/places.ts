import type { Page } from '@playwright/test';

/** Pages that are tabs of a place, and that place. */
const PLACE_OF: Readonly<Record<string, string>> = {
  Space: 'Clean up',
  Newsletters: 'Clean up',
  Rules: 'Clean up',
  Insights: 'Clean up',
  'Keep everything': 'Protect',
  Retention: 'Protect',
  Privacy: 'Protect',
  Mailboxes: 'Settings',
  'Import and export': 'Settings',
  Profile: 'Settings',
  Security: 'Settings',
  'API keys': 'Settings',
  Storage: 'Settings',
  Webhooks: 'Settings',
  'Audit log': 'Settings',
};

/** Opens a page as people do on a desk: its place, and its tab there. */
export async function openPage(page: Page, name: string): Promise<void> {
  const place = PLACE_OF[name] ?? name;
  await linkIn(page, 'Places', place).click();
  if (place !== name) await linkIn(page, place, name).click();
}

/** A link of a navigation of the page. */
export const linkIn = (page: Page, navigation: string, name: string) =>
  page.getByRole('navigation', { name: navigation, exact: true }).getByRole('link', { name, exact: true });
