import type { Locator, Page } from '@playwright/test';
import { accountOf, archiveMessages } from './support/archived';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';

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
  await page.getByRole('link', { name: 'Archive', exact: true }).click();
  await expect(page.getByText(/Nothing is archived yet/)).toBeVisible();
  await archiveMessages(page, accountOf(page), ARCHIVED);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
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
      await expect(page.getByRole('status').getByText(`${MESSAGES} found`)).toBeVisible();
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
    const refusal = page.getByRole('alert');
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

  test('names a mailbox that could not be searched, and shows what its archive has', async ({ page }) => {
    await searchFor(page, 'is:encrypted OR larger:1');
    await expect(page.getByText('Not every mailbox was searched')).toBeVisible();
    await expect(page.getByText(/cannot search for “is:encrypted”/)).toBeVisible();
    await expect(page.getByText(`At least ${ARCHIVED} found`)).toBeVisible();
  });
});
