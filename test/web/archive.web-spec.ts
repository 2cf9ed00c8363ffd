import type { Locator, Page, Route } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { accountOf, archivedMails, archiveMessages } from './support/archived';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

/** Several screens of rows. */
const MANY = 300;
const ARCHIVED = 60;

const listOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Archived messages' });
const foundOf = (page: Page): Locator => page.getByText(/^[\d,]+ found$/);
const numberIn = async (text: Locator): Promise<number> =>
  Number.parseInt((await text.innerText()).replaceAll(',', ''), 10);

/** A person with mail in the archive, who looks at it. */
async function openArchive(page: Page, count = ARCHIVED, address?: string): Promise<string> {
  await signUp(page, { mailbox: true, messages: count * 2, address });
  await openPage(page, 'Archive');
  await expect(page.getByText(/Nothing is archived yet/)).toBeVisible();
  const accountId = accountOf(page);
  await archiveMessages(page, accountId, count);
  // The end of the job brings them in.
  await expect(foundOf(page)).toHaveText(`${count} found`);
  await expect(listOf(page).getByRole('option').first()).toBeVisible();
  return accountId;
}

/** Goes on with a key until something has the focus. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead there`);
}

test.describe('the archive', () => {
  test('is searched, filtered and read with the mouse', { tag: '@change' }, async ({ page }) => {
    await openArchive(page);
    const list = listOf(page);

    // A number beside a label is what it finds.
    const labels = page.getByRole('navigation', { name: 'Labels, months and senders' });
    const label = labels.getByRole('button').first();
    const [name = '', count = ''] = (await label.innerText()).split(/\n+/);
    await label.click();
    await expect(page).toHaveURL(/label=/);
    await expect(foundOf(page)).toHaveText(`${count} found`);
    const chip = page.getByRole('list', { name: 'Filters' }).getByText(`Label: ${name}`);
    await expect(chip).toBeVisible();
    await page.getByRole('button', { name: `Remove the filter: Label: ${name}` }).click();
    await expect(foundOf(page)).toHaveText(`${ARCHIVED} found`);

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Attachments' }).getByText('Yes').click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page).toHaveURL(/files=true/);
    await page.getByLabel('Order').selectOption('Largest first');
    await expect(page).toHaveURL(/sort=size/);
    await expect(foundOf(page)).not.toHaveText(`${ARCHIVED} found`);

    await list.getByRole('option').filter({ hasNotText: 'Loading' }).first().click();
    const reader = page.getByRole('region', { name: 'Message' });
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await expect(reader.getByRole('link', { name: /, download$/ }).first()).toBeVisible();
    for (const kind of ['Text', 'Headers', 'Source', 'Message']) {
      await reader.getByRole('radiogroup').getByText(kind, { exact: true }).click();
      if (kind === 'Headers') await expect(reader.getByRole('rowheader', { name: 'Subject' })).toBeVisible();
      if (kind === 'Source') await expect(reader.getByText(/^Subject: /m)).toBeVisible();
    }
    await expect(reader.getByText(/^1 of \d+$/)).toBeVisible();
    await reader.getByRole('button', { name: 'Next message' }).click();
    await expect(reader.getByText(/^2 of \d+$/)).toBeVisible();
    await page.keyboard.press('k');
    await page.reload();
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await expect(reader.getByText(/^1 of \d+$/)).toBeVisible();
    await page.goBack();
    await expect(reader).toBeHidden();

    await list.getByRole('option').first().click();
    await reader.getByRole('button', { name: 'More from this sender' }).click();
    await expect(page).toHaveURL(/q=from/);
    await expect(page).not.toHaveURL(/files=true/);
    await expect(list).toBeFocused();
  });

  test('exports the selected mails, and deletes them', { tag: '@change' }, async ({ page }) => {
    const accountId = await openArchive(page);
    const list = listOf(page);
    for (const row of [0, 1, 2]) await list.getByTitle('Choose this message').nth(row).click();
    await expect(page.getByText('3 chosen')).toBeVisible();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const leaving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /^ZIP/ }).click();
    const zip = await leaving;
    expect(zip.suggestedFilename()).toMatch(/\.zip$/);
    expect(
      readFileSync(await zip.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    await expect(page.getByText(/Your browser is saving .*: 3 messages/)).toBeVisible();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete 3 messages from the archive for good?' });
    const confirm = question.getByRole('button', { name: 'Delete 3 messages' });
    await expect(confirm).toBeDisabled();
    await question.getByLabel('Type 3').fill('3');
    await confirm.click();
    await expect(foundOf(page)).toHaveText(`${ARCHIVED - 3} found`);
    expect(await archivedMails(page, accountId)).toHaveLength(ARCHIVED - 3);
  });

  test(
    'is searched, read, exported and cleaned up with the keyboard alone',
    { tag: '@change' },
    async ({ page }) => {
      await openArchive(page);
      const list = listOf(page);
      await page.keyboard.press('f');
      await page.keyboard.type('the');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/q=the/);
      await expect(foundOf(page)).not.toHaveText(`${ARCHIVED} found`);
      const before = await numberIn(foundOf(page));
      expect(before).toBeGreaterThan(4);

      await tabTo(page, list);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect(page.getByTitle('Text of the message')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByTitle('Text of the message')).toBeHidden();
      await expect(list).toBeFocused();

      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Shift+X');
      await expect(page.getByText('3 chosen')).toBeVisible();
      await tabTo(page, page.getByRole('button', { name: 'Export', exact: true }), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: /^mbox/ })).toBeVisible();
      await tabTo(page, page.getByRole('menuitem', { name: /^mbox/ }), 'ArrowDown');
      const leaving = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const mbox = readFileSync(await (await leaving).path(), 'latin1');
      expect(mbox.match(/^From /gm)).toHaveLength(3);

      await tabTo(page, page.getByRole('button', { name: 'Delete', exact: true }));
      await page.keyboard.press('Enter');
      await expect(page.getByLabel('Type 3')).toBeFocused();
      await page.keyboard.type('3');
      await page.keyboard.press('Enter');
      await expect(foundOf(page)).toHaveText(`${before - 3} found`);

      // The keys go on with the list also where the button goes.
      await tabTo(page, page.getByRole('button', { name: /^Choose (all|the one)/ }), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(page.getByText(`${before - 3} chosen`)).toBeVisible();
      await expect(list).toBeFocused();
      await tabTo(page, page.getByRole('button', { name: 'Clear selection' }), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(foundOf(page)).toHaveText(`${before - 3} found`);
      await expect(list).toBeFocused();
    },
  );

  test('restores its position, and shows conversations', async ({ page, isUsable }) => {
    // Other mailboxes may have no conversation of several messages among the first.
    await openArchive(page, MANY, `conversations-${MANY * 2}@sandbox.mailroom.test`);
    const list = listOf(page);
    await list.evaluate((element) => element.scrollTo(0, 6_500));
    await list.locator('#archived-140').filter({ hasNotText: 'Loading' }).click();
    await expect(page.getByTitle('Text of the message')).toBeVisible();
    // List and message reach down to the end of the window.
    const { y, height } = (await page.getByRole('region', { name: 'Message' }).boundingBox())!;
    expect(y + height).toBeGreaterThan(page.viewportSize()!.height * 0.9);
    const offset = await list.evaluate((element) => element.scrollTop);
    await openPage(page, 'Mail');
    await expect(page.getByRole('heading', { name: 'Mail', exact: true })).toBeVisible();
    await page.goBack();
    await expect(list.locator('#archived-140')).toBeVisible();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(offset);
    await expect(list).toHaveAttribute('aria-activedescendant', 'archived-140');

    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Conversations').click();
    await expect(page.getByText(new RegExp(`^${MANY} messages in \\d+ conversations$`))).toBeVisible();
    const threads = page.getByRole('listbox', { name: 'Conversations' });
    await threads
      .getByText(/\(\d+\)$/)
      .first()
      .click();
    const mails = page.getByRole('navigation', { name: 'Messages of this conversation' });
    await mails.getByRole('button').first().click();
    await expect(page).toHaveURL(/thread=.*mail=|mail=.*thread=/);
    await expect(page.getByTitle('Text of the message')).toBeVisible();
    await isUsable();
  });

  test.describe('when it changes in the meantime', () => {
    test.use({ expectedErrors: { patterns: [/status of (404|409)/] } });

    /** Another tab deletes a mail, in the moment in which this one sends what was confirmed. */
    async function deleteBefore(page: Page, accountId: string, mailId: string): Promise<void> {
      const { origin } = new URL(page.url());
      const deleteOne = async (route: Route): Promise<void> => {
        await page.request.post(`/api/archive/${accountId}/delete`, {
          headers: { origin },
          data: { mailIds: [mailId], confirmedCount: 1 },
        });
        await expect.poll(async () => (await archivedMails(page, accountId)).length).toBe(ARCHIVED - 1);
        await route.continue();
      };
      await page.route('**/delete', deleteOne, { times: 1 });
    }

    test('deletes only what was counted', async ({ page }) => {
      const accountId = await openArchive(page);
      const [first] = await archivedMails(page, accountId);
      // Of the whole archive nothing is deleted by one button.
      await expect(page.getByRole('button', { name: /^Delete/ })).toBeHidden();
      await page.goto(`/a/${accountId}/archive?after=2000-01-01`);
      await page.getByRole('button', { name: 'Delete all' }).click();
      await deleteBefore(page, accountId, first!.id);
      await page.getByLabel(`Type ${ARCHIVED}`).fill(String(ARCHIVED));
      await page.getByRole('button', { name: `Delete ${ARCHIVED} messages` }).click();
      await expect(page.getByText(/There is another number of messages now/)).toBeVisible();
      await expect(page.getByLabel(`Type ${ARCHIVED - 1}`)).toBeVisible();
      await expect(page.getByRole('button', { name: `Delete ${ARCHIVED - 1} messages` })).toBeDisabled();
      expect(await archivedMails(page, accountId)).toHaveLength(ARCHIVED - 1);
    });

    test('deletes nothing of a selection that is partly gone', async ({ page }) => {
      const accountId = await openArchive(page);
      const [first] = await archivedMails(page, accountId);
      for (const row of [0, 1]) await listOf(page).getByTitle('Choose this message').nth(row).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await deleteBefore(page, accountId, first!.id);
      await page.getByLabel('Type 2').fill('2');
      await page.keyboard.press('Enter');
      await expect(page.getByText(/Nothing was deleted: some of the chosen messages/)).toBeVisible();
      await expect(foundOf(page)).toHaveText(`${ARCHIVED - 1} found`);
    });
  });
});
