import { type Locator, type Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';
import { openPage } from './support/places';

/** Figures over all messages wait until these are known. */
const FIRST_LOOK_MS = patient(40_000);

const messages = (page: Page): Locator => page.getByRole('listbox', { name: 'Messages' });
const firstRow = (page: Page): Locator =>
  messages(page).getByRole('option').filter({ hasNotText: 'Loading' }).first();
const toast = (page: Page, text: RegExp): Locator => page.getByRole('alert').filter({ hasText: text });
const jobs = (page: Page): Locator => page.getByRole('button', { name: /^Jobs$|running$/ });
const tray = (page: Page): Locator => page.getByRole('dialog', { name: 'Jobs' });

const search = async (page: Page, query: string): Promise<void> => {
  await page.getByLabel('Search in the mailbox').fill(query);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=/);
};

/** The number that stands in a text. */
async function numberIn(text: Locator): Promise<number> {
  await expect(text).toBeVisible();
  return Number.parseInt((await text.innerText()).replace(/[^\d]/g, ''), 10);
}

const found = (page: Page): Locator => page.getByText(/^[\d,]+ found$/);

test.describe('cleaning up a mailbox', () => {
  test(
    'with the mouse: see what fills it, select all matches, and undo',
    { tag: '@change' },
    async ({ page }) => {
      // The first look at a mailbox takes its time on a busy machine.
      test.slow();
      await signUp(page, { mailbox: true });
      await openPage(page, 'Space');
      const senders = page.getByRole('region', { name: 'Senders' });
      await expect(senders.getByRole('listitem').first()).toBeVisible({ timeout: FIRST_LOOK_MS });
      await page.getByText('By clutter').click();
      await expect(page).toHaveURL(/by=clutter/);
      const attachments = page.getByRole('region', { name: 'Large attachments' });
      // Sandbox mailboxes of this size may have none.
      await expect(attachments.getByText(/above 100 KB|larger than 100 KB/)).toBeVisible({
        timeout: FIRST_LOOK_MS,
      });

      await senders.getByRole('link').first().click();
      await expect(page).toHaveURL(/mailbox\?q=from/);
      const before = await numberIn(found(page));
      await page.getByRole('button', { name: `Choose all ${before} that match` }).click();
      const figures = page.getByRole('status').filter({ hasText: /chosen/ });
      await expect(figures).toContainText(`${before} chosen`);
      await expect(figures).toContainText(/ to /);

      await page.getByRole('button', { name: 'Trash', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: /to the trash\?$/ });
      await expect(dialog).toContainText('30 days');
      const confirm = dialog.getByRole('button', { name: /^Trash \d+ message/ });
      const count = await numberIn(confirm);
      await confirm.click();
      const result = toast(page, /moved to the trash/);
      await expect(result).toContainText(`${count} moved to the trash`);
      if (count < before)
        await expect(page.getByText(`${before - count} found`, { exact: true })).toBeVisible();
      else await expect(page.getByText('Nothing matches this search.')).toBeVisible();

      await result.getByRole('button', { name: 'Undo' }).click();
      await expect(toast(page, /as they were before|as it was before/)).toBeVisible();
      await expect(page.getByText(`${before} found`, { exact: true })).toBeVisible();
      await jobs(page).click();
      await expect(tray(page).getByText('It was undone, or is being undone.')).toBeVisible();
    },
  );

  test('leaves out starred and important messages, unless the user includes them', async ({ page }) => {
    await signUp(page, { mailbox: true });
    await openPage(page, 'Mail');
    await expect(firstRow(page)).toBeVisible();
    await page.getByRole('button', { name: 'Choose all that match' }).click();
    const all = await numberIn(page.getByText(/^[\d,]+ chosen$/));
    await page.getByRole('button', { name: 'Trash', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const leaveOut = dialog.getByLabel('Leave out starred and important messages');
    await expect(leaveOut).toBeChecked();
    await expect(dialog).toContainText(/important left out/);
    const rest = await numberIn(dialog.getByRole('button', { name: /^Trash \d+ message/ }));
    expect(rest).toBeLessThan(all);
    await leaveOut.uncheck();
    await expect(dialog.getByRole('button', { name: `Trash ${all} messages` })).toBeEnabled();
    await leaveOut.check();
    await expect(dialog.getByRole('button', { name: `Trash ${rest} messages` })).toBeEnabled();
  });

  test(
    'with the keyboard alone: select rows, move them to the trash, and undo',
    { tag: '@change' },
    async ({ page }) => {
      const keys = page.keyboard;
      await signUp(page, { mailbox: true });
      const before = await searchByKeyboard(page, 'has:attachment');
      await keys.press('x');
      for (let row = 0; row < 4; row += 1) await keys.press('j');
      await keys.press('Shift+X');
      await expect(page.getByText(`5 of ${before} chosen`)).toBeVisible();
      await tabTo(page, page.getByRole('button', { name: 'Trash', exact: true }), 'Shift+Tab');
      await keys.press('Enter');
      const trash = page.getByRole('dialog', { name: 'Move 5 messages to the trash?' });
      await tabTo(page, trash.getByRole('button', { name: 'Trash 5 messages' }));
      await keys.press('Enter');
      await expect(page.getByText(`${before - 5} found`, { exact: true })).toBeVisible();
      await expect(messages(page)).toBeFocused();

      await tabTo(page, jobs(page), 'Shift+Tab');
      await keys.press('Enter');
      await tabTo(page, tray(page).getByRole('button', { name: 'Undo' }));
      await keys.press('Enter');
      await expect(page.getByText(`${before} found`, { exact: true })).toBeVisible();
    },
  );

  test('with the keyboard alone: archive all matches, and delete them permanently', async ({ page }) => {
    const keys = page.keyboard;
    await signUp(page, { mailbox: true });
    const before = await searchByKeyboard(page, 'has:attachment');
    await keys.press('*');
    await expect(page.getByText(`${before} chosen`, { exact: true })).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Delete', exact: true }), 'Shift+Tab');
    await keys.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Delete [\d,]+ messages for good\?$/ });
    await expect(dialog).toContainText('cannot be restored');
    await tabTo(page, dialog.getByRole('button', { name: 'Save to archive first' }));
    await keys.press('Enter');
    await expect(dialog).toContainText('All of them are in the archive now.');
    const destroy = dialog.getByRole('button', { name: /^Delete [\d,]+ messages$/ });
    await expect(destroy).toBeDisabled();
    const count = await numberIn(destroy);
    await tabTo(page, dialog.getByLabel(`Type ${count} to delete`));
    await keys.type(`${count}`);
    await keys.press('Enter');
    await expect(toast(page, /deleted for good/)).toContainText(`${count} deleted for good`);
    await expect(page.getByText(`${before - count} found`, { exact: true })).toBeVisible();
  });

  test('while the page is reloaded and another tab is open: the job continues, is stopped, and is resumed', async ({
    page,
    context,
  }) => {
    await signUp(page, { mailbox: true, messages: 3_000 });
    await openPage(page, 'Mail');
    await search(page, 'older_than:1d');
    await expect(firstRow(page)).toBeVisible();
    await page.getByRole('button', { name: 'Choose all that match' }).click();
    await page.getByRole('button', { name: 'Save to archive', exact: true }).click();
    const running = page.getByRole('button', { name: /running$/ });
    await expect(running).toBeVisible();
    await page.reload();
    await running.click();
    const job = tray(page).getByRole('listitem', { name: 'Save to archive' });
    await expect(job).toContainText(/[1-9][\d,]* of [\d,]+/);
    await job.getByRole('button', { name: 'Cancel' }).click();
    await expect(job).toContainText(
      /Cancelled after [\d,]+ of [\d,]+\. [\d,]+ are left: resume the job to do them\./,
    );

    const second = await context.newPage();
    await second.goto('/settings');
    await jobs(second).click();
    const there = tray(second).getByRole('listitem', { name: 'Save to archive' });
    await expect(there).toContainText('Cancelled');
    await job.getByRole('button', { name: 'Resume' }).click();
    await expect(there).toContainText(/Running|Waiting/);
    await there.getByRole('button', { name: 'Cancel' }).click();
    await expect(job).toContainText('Cancelled');
  });
});

/** Goes there as keyboards do. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < 60; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

/** Opens the mailbox, searches, and goes to the list. @returns how many were found */
async function searchByKeyboard(page: Page, query: string): Promise<number> {
  const keys = page.keyboard;
  await keys.press('g');
  await keys.press('m');
  await expect(firstRow(page)).toBeVisible();
  await keys.press('f');
  await keys.type(query);
  await keys.press('Enter');
  await expect(page).toHaveURL(/q=/);
  const count = await numberIn(found(page));
  await tabTo(page, messages(page));
  return count;
}
