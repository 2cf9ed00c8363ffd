import { expect, test } from './support/fixtures';

interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly type: string; readonly sizes: string }[];
}

test('the page can be installed: its manifest is valid, and its icons match it', async ({ page }) => {
  await page.goto('/login');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(address!);
  expect(answer.headers()['content-type']).toBe('application/manifest+json; charset=utf-8');
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ name: 'Mailroom', start_url: '/', display: 'standalone' });

  const debuggers = await page.context().newCDPSession(page);
  const { errors } = await debuggers.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await debuggers.send('Page.getInstallabilityErrors');
  // A window of a test is private, which keeps nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  for (const { src, type, sizes } of [
    ...manifest.icons,
    { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180' },
  ]) {
    const icon = await page.request.get(src);
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type]);
    if (sizes === 'any') continue;
    const drawn = await page.evaluate(async (from) => {
      const image = new Image();
      image.src = from;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect([src, drawn]).toEqual([src, sizes]);
  }
});
