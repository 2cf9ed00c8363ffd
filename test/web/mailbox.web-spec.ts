import { expect, test } from './support/fixtures';
import { signUp } from './support/people';

test.describe('the mailbox', () => {
  test('is searched and read with the mouse', async ({ page }) => {
    await signUp(page, { mailbox: true });
    await page.getByRole('link', { name: 'Mailbox', exact: true }).click();
    const list = page.getByRole('listbox', { name: 'Messages' });
    await expect(list.getByRole('option').first()).toBeVisible();
    await expect(page.getByText(/\d+ (found|listed so far)$/)).toBeVisible();

    await page.getByLabel('Search in the mailbox').fill('has:attachment');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=has/);
    await expect(page.getByText(/^\d+ found$/)).toBeVisible();
    await list.getByRole('option').first().click();
    const reader = page.getByRole('region', { name: 'Message' });
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await expect(reader.getByRole('link', { name: /, download$/ }).first()).toBeVisible();

    // What is read can be dealt with at once.
    const found = page.getByText(/^\d+ found$/);
    const before = Number.parseInt(await found.innerText(), 10);
    await reader.getByRole('button', { name: 'Trash', exact: true }).click();
    await page.getByRole('button', { name: 'Trash 1 message' }).click();
    await expect(reader).toBeHidden();
    await expect(list).toBeFocused();
    await expect(found).toHaveText(`${before - 1} found`);
    await list.getByRole('option').filter({ hasNotText: 'Loading' }).first().click();

    // The address says everything: the same after a reload, and without the message after going back.
    await page.reload();
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await page.goBack();
    await expect(reader).toBeHidden();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue('has:attachment');
  });
});
