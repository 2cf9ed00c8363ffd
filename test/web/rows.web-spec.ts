import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { archiveAll, signUp } from './support/people';
import { openPage } from './support/places';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;
const MEASURED = 4;

const rowsOf = (list: Locator): Locator => list.getByRole('option').filter({ hasNotText: 'Loading' });

/** Distances of the first rows from the top of the window, in whole pixels. */
async function placesOf(list: Locator): Promise<number[]> {
  const boxes = await Promise.all(
    Array.from({ length: MEASURED }, (_, place) => rowsOf(list).nth(place).boundingBox()),
  );
  return boxes.map((box) => Math.round(box!.y));
}

const tick = (list: Locator, place: number, modifiers: 'Shift'[] = []): Promise<void> =>
  rowsOf(list).nth(place).getByTitle('Choose').click({ modifiers });

const selectedText = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.getSelection()?.toString() ?? '');

test('rows do not move when they are selected', async ({ page }) => {
  await signUp(page, { mailbox: true, messages: 60 });
  const archived = await archiveAll(page);
  await archived();
  for (const [link, name] of [
    ['Mail', 'Messages'],
    ['Archive', 'Archived messages'],
  ] as const) {
    await page.setViewportSize(SIZES[1]);
    await openPage(page, link);
    const list = page.getByRole('listbox', { name });
    for (const size of SIZES) {
      await test.step(`${link}, ${size.width} pixels wide`, async () => {
        await page.setViewportSize(size);
        await expect(rowsOf(list).nth(MEASURED)).toBeVisible();
        const before = await placesOf(list);
        await tick(list, 0);
        await expect(page.getByText(/^1( of \d+)? chosen$/)).toBeVisible();
        expect(await placesOf(list), 'one row chosen').toEqual(before);
        await tick(list, 1);
        await expect(page.getByText(/^2( of \d+)? chosen$/)).toBeVisible();
        expect(await placesOf(list), 'two rows chosen').toEqual(before);
        await page.getByRole('button', { name: /^Choose all/ }).click();
        await expect(page.getByRole('button', { name: /^Choose all/ })).toBeHidden();
        await expect(page.getByText('Counting')).toBeHidden();
        expect(await placesOf(list), 'all chosen').toEqual(before);
        await page.getByRole('button', { name: 'Clear selection' }).click();
        await expect(page.getByRole('button', { name: 'Clear selection' })).toBeHidden();
        expect(await placesOf(list), 'none chosen any more').toEqual(before);
      });
    }
  }
});

test('a range selected with Shift selects no text', async ({ page }) => {
  await signUp(page, { mailbox: true, messages: 60 });
  await openPage(page, 'Mail');
  const list = page.getByRole('listbox', { name: 'Messages' });
  await tick(list, 0);
  await tick(list, 3, ['Shift']);
  await expect(page.getByText(/^4( of \d+)? chosen$/)).toBeVisible();
  expect(await selectedText(page)).toBe('');
  // The keys go on with the list.
  await expect(list).toBeFocused();
});

test('the keyboard continues in the list after a search', async ({ page }) => {
  await signUp(page, { mailbox: true, messages: 60 });
  await openPage(page, 'Mail');
  const field = page.getByLabel('Search in the mailbox');
  await field.fill('larger:1');
  await field.press('Enter');
  const list = page.getByRole('listbox', { name: 'Messages' });
  await expect(list).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByText(/^1( of \d+)? chosen$/)).toBeVisible();
  await expect(field).toHaveValue('larger:1');
});
