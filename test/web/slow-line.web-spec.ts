import { expect, test } from './support/fixtures';

/** A slow mobile line: 400 kbit/s, and 400 ms until an answer begins. */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

test('shows the name of the product while the page loads on a slow line', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
  const loading = page.goto('/login', { waitUntil: 'commit' });
  await expect(page.locator('#starting')).toBeVisible();
  await loading;
  // Nothing of the page itself is there yet.
  await expect(page.getByRole('heading')).toHaveCount(0);
  const paintedAt = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries()[0]!.startTime)).observe({
          type: 'paint',
          buffered: true,
        });
      }),
  );
  await devtools.send('Network.emulateNetworkConditions', {
    ...SLOW_LINE,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await expect(page.getByRole('heading')).toBeVisible();
  await expect(page.locator('#starting')).toHaveCount(0);
  const styledAt = await page.evaluate(
    () =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(({ name }) =>
        name.endsWith('.css'),
      )!.responseEnd,
  );
  expect(paintedAt).toBeLessThan(styledAt);
});
