import { type Locator, type Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

const messages = (page: Page): Locator => page.getByRole('listbox', { name: 'Messages' });
const rows = (page: Page): Locator => messages(page).getByRole('option').filter({ hasNotText: 'Loading' });
const found = (page: Page): Locator => page.getByText(/^[\d,]+ found$/);
const toast = (page: Page, text: RegExp): Locator => page.getByRole('alert').filter({ hasText: text });
const countOf = async (page: Page): Promise<number> =>
  Number.parseInt((await found(page).innerText()).replace(/\D/g, ''), 10);

test.describe('changing messages', () => {
  test.beforeEach(async ({ page }) => {
    await signUp(page, { mailbox: true });
    await openPage(page, 'Mail');
    await expect(rows(page).first()).toBeVisible();
  });

  test('by keys, with quick filters, and taken back by a key', async ({ page }) => {
    await page.getByRole('button', { name: 'Unread', exact: true }).click();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue('is:unread');
    await page.getByRole('button', { name: 'With attachments', exact: true }).click();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue('is:unread has:attachment');
    await page.getByRole('button', { name: 'With attachments', exact: true }).click();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue('is:unread');
    await expect(found(page)).toBeVisible();
    const before = await countOf(page);

    await messages(page).focus();
    await page.keyboard.press('r');
    await expect(found(page)).toHaveText(new RegExp(`^${(before - 1).toLocaleString('en')} found$`));
    await messages(page).focus();
    await page.keyboard.press('z');
    await expect(found(page)).toHaveText(new RegExp(`^${before.toLocaleString('en')} found$`));
  });

  test('with the buttons and the menu of a row', async ({ page }) => {
    await page.getByLabel('Search in the mailbox').fill('is:unread');
    await page.keyboard.press('Enter');
    await expect(found(page)).toBeVisible();
    const before = await countOf(page);
    await rows(page).first().hover();
    await rows(page).first().getByTitle('Mark as read').click();
    await expect(toast(page, /1 (changed|marked)/)).toBeVisible();
    await expect(found(page)).toHaveText(new RegExp(`^${(before - 1).toLocaleString('en')} found$`));

    await rows(page).first().click({ button: 'right' });
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem', { name: 'Move to spam' })).toBeVisible();
    await menu.getByRole('menuitem', { name: /^Show everything from/ }).click();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue(/^from:/);
  });
});

test('every page and command is found by its name', async ({ page }) => {
  await signUp(page, { mailbox: true });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Places and commands' });
  await expect(palette).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  await page.keyboard.press('Control+k');
  await palette.fill('rul');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/rules$/);

  await page.keyboard.press('Control+k');
  await palette.fill('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');

  await page.keyboard.press('Control+k');
  await palette.fill('quarterly figures');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=quarterly/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a message is swept to the trash with the thumb, and taken back', async ({ page }) => {
    await signUp(page, { mailbox: true, messages: 200 });
    await page.getByRole('link', { name: 'Mail', exact: true }).click();
    await expect(rows(page).first()).toBeVisible();
    await expect(found(page)).toBeVisible();
    const before = await countOf(page);
    await sweep(page, rows(page).nth(1), -250);
    await expect(found(page)).toHaveText(new RegExp(`^${(before - 1).toLocaleString('en')} found$`));
    await toast(page, /trash/).getByRole('button', { name: 'Undo' }).click();
    await expect(found(page)).toHaveText(new RegExp(`^${before.toLocaleString('en')} found$`));

    // Not far enough.
    await sweep(page, rows(page).nth(1), -60);
    await expect(rows(page).nth(1)).toBeVisible();
    expect(await countOf(page)).toBe(before);
  });
});

/** Moves a finger sideways over a row. @param distance pixels, to the left when negative */
async function sweep(page: Page, row: Locator, distance: number): Promise<void> {
  const box = (await row.boundingBox())!;
  const client = await page.context().newCDPSession(page);
  const at = (x: number) => ({
    touchPoints: [{ x: box.x + box.width * (distance < 0 ? 0.9 : 0.1) + x, y: box.y + box.height / 2 }],
  });
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0) });
  for (const part of [0.2, 0.4, 0.6, 0.8, 1])
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(distance * part) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await client.detach();
}
