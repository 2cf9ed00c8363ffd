import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { showIn } from './support/french';
import { signInAsAdministrator, signUp } from './support/people';
import { openPage } from './support/places';

/** The narrowest screen of phones in use. French texts are the longer ones. */
const SMALL_PHONE = { width: 360, height: 740 };

/** Lists the chosen options and the badges that do not fit. */
const findClipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    const widthOf = (select: HTMLSelectElement): number => {
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select);
      context.font = font;
      const { width } = context.measureText(select.selectedOptions[0]?.text ?? '');
      return width + Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
    };
    const selects = [...document.querySelectorAll<HTMLSelectElement>('main select')]
      .filter((select) => widthOf(select) > select.clientWidth)
      .map((select) => select.selectedOptions[0]!.text);
    const badges = [...document.querySelectorAll('[class*=Badge-label]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent);
    return [...selects, ...badges];
  });

/** Letters of the longest word of a date: `septembre`. */
const LONGEST_WORD = 9;

/** Lists the words in tables of charts that are broken over lines. Addresses and longer words may be. */
const findBroken = (page: Page): Promise<string[]> =>
  page.evaluate((mostLetters) => {
    const found: string[] = [];
    for (const cell of document.querySelectorAll('details[open] :is(th, td)')) {
      const text = cell.firstChild;
      if (!(text instanceof Text) || text.data.includes('@')) continue;
      for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (word.length <= mostLetters && range.getClientRects().length > 1)
          found.push(`${word} of ${text.data}`);
      }
    }
    return found;
  }, LONGEST_WORD);

test('selections and tables are readable in French on a small phone', async ({ page }) => {
  await signUp(page, { mailbox: true });
  await openPage(page, 'Rules');
  await page.getByRole('button', { name: 'Write a rule' }).click();
  await page.setViewportSize(SMALL_PHONE);
  await showIn(page, 'fr');
  await page.getByLabel('Alors').selectOption({ label: 'Retirer de la boîte de réception' });
  await page.getByLabel('D’elle-même').selectOption({ index: 0 });
  expect.soft(await findClipped(page), 'in the form of a rule').toEqual([]);

  await page.goto(page.url().replace('/rules', '/insights'));
  const table = page.getByText('Afficher sous forme de tableau');
  await expect(table.nth(1)).toBeVisible();
  for (const each of await table.all()) await each.click();
  expect.soft(await findBroken(page), 'in tables of charts').toEqual([]);

  await showIn(page, 'en');
  await signInAsAdministrator(page);
  await page.goto('/admin');
  await showIn(page, 'fr');
  await page.getByRole('button', { name: 'Modifier' }).first().click();
  await expect(page.getByLabel('Rôle')).toBeVisible();
  expect.soft(await findClipped(page), 'in the form of a user').toEqual([]);
  await page.getByRole('tab', { name: 'Tâches' }).click();
  await expect(page.getByRole('cell', { name: 'Terminée' }).first()).toBeVisible();
  expect.soft(await findClipped(page), 'in the list of jobs').toEqual([]);
});
