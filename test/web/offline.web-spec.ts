import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { linkIn, openPage } from './support/places';

test.use({ expectedErrors: { patterns: [/ERR_INTERNET_DISCONNECTED/] } });

/** The address of a page's code, by the manifest of the build. */
function codeOf(source: string): string {
  const manifest = JSON.parse(
    readFileSync(join(__dirname, '../../web/dist/.vite/manifest.json'), 'utf8'),
  ) as Readonly<Record<string, { readonly file: string }>>;
  const chunk = manifest[source];
  if (!chunk) throw new Error(`${source} has no code of its own`);
  return `/${chunk.file}`;
}

test('data that failed to load offline is loaded automatically when the connection is back', async ({
  page,
}) => {
  await signUp(page, { mailbox: true, messages: 60 });
  await openPage(page, 'Space');
  const insights = linkIn(page, 'Clean up', 'Insights');
  // The code of the page is loaded, and none of its figures.
  const address = codeOf('src/features/cleanup/insights/InsightsPage.tsx');
  const code = page.waitForResponse((response) => response.url().endsWith(address));
  await insights.hover();
  await code;
  await page.context().setOffline(true);
  await insights.click();
  const problems = page.getByRole('alert').filter({ hasText: 'The service cannot be reached' });
  await expect.poll(() => problems.count()).toBeGreaterThan(2);
  await page.context().setOffline(false);
  await expect(problems).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Labels' }).getByRole('listitem').first()).toBeVisible();
});
