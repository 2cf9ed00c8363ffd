import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

test.describe('the mailbox', () => {
  test('is searched and read with the mouse', async ({ page }) => {
    await signUp(page, { mailbox: true });
    await openPage(page, 'Mail');
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

    for (const kind of ['Text', 'Headers', 'Source', 'Message']) {
      await reader.getByRole('radiogroup').getByText(kind, { exact: true }).click();
      if (kind === 'Headers') await expect(reader.getByRole('rowheader', { name: 'Subject' })).toBeVisible();
      if (kind === 'Source') await expect(reader.getByText(/^Subject: /m)).toBeVisible();
    }

    // From message to message; going back leads to the list.
    const first = await reader.getByRole('heading').innerText();
    const next = reader.getByRole('button', { name: 'Next message' });
    await expect(reader.getByText(/^1 of \d+$/)).toBeVisible();
    await next.click();
    await expect(reader.getByText(/^2 of \d+$/)).toBeVisible();
    await expect(next).toBeFocused();
    await page.keyboard.press('k');
    await expect(reader.getByText(/^1 of \d+$/)).toBeVisible();
    await expect(reader.getByRole('heading')).toHaveText(first);
    await page.goBack();
    await expect(reader).toBeHidden();

    // To all that its sender sent, and back.
    await list.getByRole('option').first().click();
    await reader.getByRole('button', { name: 'More from this sender' }).click();
    await expect(page.getByLabel('Search in the mailbox')).toHaveValue(/^from:\(.+@.+\)$/);
    await expect(list.getByRole('option').first()).toBeVisible();
    await expect(list).toBeFocused();
    await page.goBack();

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
