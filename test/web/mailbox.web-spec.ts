import { expect, test } from './support/fixtures';
import { signUp } from './support/people';

test.describe('the mailbox', () => {
  test('is searched and read with the mouse', async ({ page, isUsable }) => {
    await signUp(page, { mailbox: true });
    await page.getByRole('link', { name: 'Mailbox', exact: true }).click();
    const list = page.getByRole('listbox', { name: 'Messages' });
    await expect(list.getByRole('option').first()).toBeVisible();
    await expect(page.getByText(/\d+ found$/)).toBeVisible();
    await isUsable();

    await page.getByLabel('Search in the mailbox').fill('has:attachment');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=has/);
    await expect(page.getByText(/^\d+ found$/)).toBeVisible();
    await list.getByRole('option').first().click();
    const reader = page.getByRole('region', { name: 'Message' });
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await expect(reader.getByRole('link', { name: /, download$/ }).first()).toBeVisible();
    await isUsable();

    // The address says everything: the same after a reload, and without the message after going back.
    await page.reload();
    await expect(reader.getByTitle('Text of the message')).toBeVisible();
    await page.goBack();
    await expect(reader).toBeHidden();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue('has:attachment');
  });
});
