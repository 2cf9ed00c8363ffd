import type { Locator, Page } from '@playwright/test';
import { accountOf, archiveMessages } from './support/archived';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

/** The refused term, of which the browser tells as well. */
test.use({ expectedErrors: { patterns: [/status of 400/] } });

const MESSAGES = 120;
const ARCHIVED = 40;

const field = (page: Page): Locator => page.getByRole('search').getByLabel('Search all mail');
const results = (page: Page): Locator => page.getByRole('list', { name: 'Results' }).locator('> li');
const badges = (page: Page, text: string): Locator => results(page).getByText(text, { exact: true });

/** A person with a mailbox of which a part is archived. */
async function begin(page: Page): Promise<void> {
  await signUp(page, { mailbox: true, messages: MESSAGES });
  await openPage(page, 'Archive');
  await expect(page.getByText(/Nothing is archived yet/)).toBeVisible();
  await archiveMessages(page, accountOf(page), ARCHIVED);
  await openPage(page, 'Settings');
  await expect(page.getByRole('heading', { name: 'Mailboxes' })).toBeVisible();
}

async function searchFor(page: Page, q: string): Promise<void> {
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await field(page).fill(q);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Search' })).toBeFocused();
}

test.describe('the search in all mail', () => {
  test.beforeEach(({ page }) => begin(page));

  test(
    'finds what is in the mailbox and in the archive, marks it and opens it',
    { tag: '@change' },
    async ({ page, isUsable, isFrenchToo }) => {
      await searchFor(page, 'larger:1');
      await expect(page.getByRole('status').getByText(/^1\d\d found$/)).toBeVisible();
      await expect(badges(page, 'In mailbox and archive').first()).toBeVisible();
      await page.getByRole('button', { name: 'Page 5', exact: true }).click();
      await expect(page).toHaveURL(/page=5/);
      await expect(badges(page, 'In the mailbox').first()).toBeVisible();
      await page.goBack();
      await expect(page).not.toHaveURL(/page=5/);

      // A word of a message that is there.
      const subject = await results(page).getByRole('link').first().innerText();
      const word = /\p{L}{4,}/u.exec(subject)![0];
      await searchFor(page, `subject:${word}`);
      await expect(results(page).first().getByRole('link').locator('mark').first()).toHaveText(
        new RegExp(word, 'i'),
      );
      await page.getByText('Archives', { exact: true }).click();
      await expect(page).toHaveURL(/place=archive/);
      await expect(results(page).first()).toBeVisible();
      await page.getByText('Best first', { exact: true }).click();
      await expect(page).toHaveURL(/sort=relevance/);
      await expect(results(page).first()).toBeVisible();
      await isUsable();
      await isFrenchToo();

      await results(page).getByRole('link').first().click();
      await expect(page).toHaveURL(/\/archive\?.*mail=/);
      await expect(page.getByTitle('Text of the message')).toBeVisible();
      await page.goBack();
      await page.getByText('Mailboxes', { exact: true }).and(page.locator('label *')).click();
      await expect(page).toHaveURL(/place=mailbox/);
      await expect(results(page).first()).toBeVisible();
      await results(page).getByRole('link').first().click();
      await expect(page).toHaveURL(/\/mailbox\?.*message=/);
      await expect(page.getByTitle('Text of the message')).toBeVisible();
    },
  );

  test('marks a term that it refuses, and says what to try when nothing is found', async ({
    page,
    isUsable,
    isFrenchToo,
  }) => {
    await searchFor(page, 'invoice is:snoozed');
    const refusal = page.getByRole('alert', { name: 'A term of the search was refused' });
    await expect(refusal.locator('mark')).toHaveText('is:snoozed');
    await expect(refusal).toContainText('“is:snoozed” cannot be searched for.');
    await isUsable();
    await isFrenchToo();

    await searchFor(page, 'nothinghasthisword');
    await expect(page.getByText('Nothing matches this search.')).toBeVisible();
    await page.getByRole('button', { name: 'Search tips' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'is:unread' }).click();
    await expect(page).toHaveURL(/q=is%3Aunread/);
    await expect(field(page)).toHaveValue('is:unread');
    await expect(results(page).first()).toBeVisible();
  });

  test('suggests terms and searches of before, by keyboard, until they are cleared', async ({
    page,
    isUsable,
    isFrenchToo,
  }) => {
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    const recent = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }));
    await page.keyboard.press('/');
    await page.keyboard.type('fro');
    await expect(list.getByRole('option', { name: 'from: Sender' })).toBeVisible();
    await isUsable();
    await page.keyboard.press('ArrowDown');
    await expect(field(page)).toHaveAttribute('aria-activedescendant', /-0$/);
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue('from:');
    await page.keyboard.type('camille');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=from%3Acamille/);
    await expect(results(page).first()).toBeVisible();

    await page.goto('/retention');
    await expect(page.getByRole('heading', { name: 'Retention' })).toBeVisible();
    await page.keyboard.press('/');
    await expect(list.getByRole('option', { name: /^from:camille/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await page.keyboard.type('cam');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=from%3Acamille/);
    await page.keyboard.press('/');
    await field(page).clear();
    await isFrenchToo();
    await page.getByRole('search').getByRole('button', { name: 'Clear recent searches' }).click();
    await expect(list).toBeHidden();
    expect(await recent()).not.toContain('camille');

    await searchFor(page, 'is:unread');
    expect(await recent()).toContain('is:unread');
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await recent()).not.toContain('is:unread');
  });

  test('names a mailbox that could not be searched, and shows what its archive has', async ({ page }) => {
    await searchFor(page, 'is:encrypted OR larger:1');
    await expect(page.getByText('Not every mailbox was searched')).toBeVisible();
    await expect(page.getByText(/cannot search for “is:encrypted”/)).toBeVisible();
    await expect(page.getByText(`At least ${ARCHIVED} found`)).toBeVisible();
  });
});
