import type { Page } from '@playwright/test';
import { accountOf, archiveMessages } from './support/archived';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { linkIn, openPage } from './support/places';

const DESK = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Of the first row on a desk. */
const MOST_ABOVE_PX = 200;

const firstRow = (page: Page) =>
  page.getByRole('listbox').getByRole('option').filter({ hasNotText: 'Loading' }).first();

const LISTS = [
  ['Mail', 'Messages'],
  ['Archive', 'Archived messages'],
] as const;

/** Bottom edges of the last part of the page and of what stands in its way, once the page was scrolled to its end. */
const endsOf = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    const end = document.querySelector('main > :last-child')!.getBoundingClientRect().bottom;
    return { end, bar: document.querySelector('footer')!.getBoundingClientRect().top };
  });

test.describe('six places', { tag: '@change' }, () => {
  test('have all pages, by their tabs and by the addresses of before', async ({ page, isUsable }) => {
    await signUp(page, { mailbox: true, messages: 60 });
    const places = page.getByRole('navigation', { name: 'Places', exact: true }).getByRole('link');
    await expect(places).toHaveText(['Home', 'Mail', 'Archive', 'Clean up', 'Protect', 'Settings']);
    await openPage(page, 'Rules');
    await expect(page).toHaveURL(/\/rules$/);
    await expect(page.getByRole('heading', { name: 'Rules', level: 1 })).toBeVisible();
    await expect(linkIn(page, 'Clean up', 'Rules')).toHaveAttribute('aria-current', 'page');
    await expect(linkIn(page, 'Places', 'Clean up')).toHaveAttribute('aria-current', 'true');
    await isUsable();
    // Not of a mailbox, and opened by its address.
    await page.goto('/retention');
    await expect(linkIn(page, 'Protect', 'Retention')).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(page.getByRole('heading', { name: 'Archive', level: 1 })).toBeVisible();
  });

  test('are at the bottom of a phone, where nothing moves and nothing is hidden', async ({
    page,
    isUsable,
  }) => {
    await signUp(page, { mailbox: true, messages: 60 });
    await page.setViewportSize(PHONE);
    const bar = page.getByRole('navigation', { name: 'Main places' });
    await expect(page.getByRole('navigation', { name: 'Places', exact: true })).toBeHidden();
    await expect(bar.getByRole('link')).toHaveText(['Home', 'Mail', 'Archive', 'Clean up']);
    await linkIn(page, 'Main places', 'Clean up').click();
    await expect(page.getByRole('heading', { name: 'Space', level: 1 })).toBeVisible();
    const before = await bar.boundingBox();
    await expect(page.getByRole('region', { name: 'Suggestions' })).toBeVisible();
    await expect(page.getByRole('main').getByText('Loading')).toHaveCount(0);
    await expect(async () => {
      const { end, bar: top } = await endsOf(page);
      expect(end).toBeLessThanOrEqual(top);
    }).toPass();
    expect(await bar.boundingBox()).toEqual(before);

    await bar.getByRole('button', { name: 'More' }).click();
    await linkIn(page, 'Places', 'Protect').click();
    await expect(page.getByRole('heading', { name: 'Keep everything', level: 1 })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Places', exact: true })).toBeHidden();
    expect(await bar.boundingBox()).toEqual(before);
    await isUsable();
  });
});

test('the lists of mail and archive begin high up', async ({ page }) => {
  await signUp(page, { mailbox: true, messages: 60 });
  await openPage(page, 'Home');
  await archiveMessages(page, accountOf(page));
  for (const [name, list] of LISTS) {
    await page.setViewportSize(DESK);
    await openPage(page, name);
    await expect(page.getByRole('listbox', { name: list })).toBeVisible();
    expect((await firstRow(page).boundingBox())!.y, `${name} on a desk`).toBeLessThan(MOST_ABOVE_PX);
    await page.setViewportSize(PHONE);
    await expect(firstRow(page)).toBeInViewport({ ratio: 1 });
    expect((await firstRow(page).boundingBox())!.y, `${name} on a phone`).toBeLessThan(PHONE.height / 2);
  }
});
