import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

type Locator = ReturnType<Page['locator']>;

const PHONE = { width: 390, height: 844 };

const scrolled = (list: Locator): Promise<number> => list.evaluate(({ scrollTop }) => scrollTop);
const reader = (page: Page): Locator => page.getByRole('region', { name: 'Message' });
const activeRow = (list: Locator): Promise<string | null> => list.getAttribute('aria-activedescendant');

/** The mailbox, with a row far below being the one that keys act on. */
async function farDown(page: Page): Promise<Locator> {
  await openPage(page, 'Mail');
  const list = page.getByRole('listbox', { name: 'Messages' });
  await expect(list.getByRole('option').first()).toBeVisible();
  await list.focus();
  for (let times = 0; times < 5; times += 1) await page.keyboard.press('PageDown');
  await expect.poll(() => scrolled(list)).toBeGreaterThan(1_000);
  return list;
}

test.describe('a user who returns', () => {
  test.beforeEach(({ page }) => signUp(page, { mailbox: true }));

  test('from a message or another page finds the list where it was, and continues with the keyboard', async ({
    page,
  }) => {
    const list = await farDown(page);
    const [row, offset] = [await activeRow(list), await scrolled(list)];
    const isAsLeft = async (): Promise<void> => {
      expect(await activeRow(list)).toBe(row);
      await expect.poll(() => scrolled(list)).toBe(offset);
    };
    await page.keyboard.press('Enter');
    await expect(reader(page)).toBeVisible();
    await page.getByRole('button', { name: 'Close the message' }).click();
    await expect(reader(page)).toBeHidden();
    await expect(list).toBeFocused();
    await isAsLeft();

    await page.keyboard.press('Enter');
    await expect(reader(page)).toBeVisible();
    await openPage(page, 'Home');
    await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
    await page.goBack();
    await expect(reader(page)).toBeVisible();
    await isAsLeft();
    await page.goBack();
    await expect(reader(page)).toBeHidden();
    await isAsLeft();
    await expect(list).toBeFocused();
    await page.keyboard.press('j');
    expect(await activeRow(list)).not.toBe(row);
  });

  test('from a message finds the list where it was on a phone, where the message replaced it', async ({
    page,
  }) => {
    const list = await farDown(page);
    await page.setViewportSize(PHONE);
    const offset = await scrolled(list);
    await list.press('Enter');
    await expect(reader(page)).toBeVisible();
    await expect(list).toBeHidden();
    // It has the page to itself.
    await expect(page.getByLabel('Search in the mailbox')).toBeHidden();
    expect((await reader(page).boundingBox())!.height).toBeGreaterThan(PHONE.height * 0.8);
    await page.goBack();
    await expect(list).toBeVisible();
    await expect.poll(() => scrolled(list)).toBe(offset);
    await expect(list).toBeFocused();
  });
});
