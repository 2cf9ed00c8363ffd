import { expect, test } from './support/fixtures';
import { signUp } from './support/people';

test.use({ expectedErrors: { patterns: [/ERR_INTERNET_DISCONNECTED/] } });

test('data that failed to load offline is loaded automatically when the connection is back', async ({
  page,
}) => {
  await signUp(page, { mailbox: true, messages: 60 });
  const insights = page.getByRole('link', { name: 'Insights' });
  // The code of the page is loaded, and none of its figures.
  const code = page.waitForResponse((response) => /InsightsPage-.*\.js$/.test(response.url()));
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
