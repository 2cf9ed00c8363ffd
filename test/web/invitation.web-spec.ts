import { expect, test } from './support/fixtures';
import { signInAsAdministrator } from './support/people';
import { openPage } from './support/places';

const PASSWORD = 'correct horse battery';

test.use({ expectedErrors: { patterns: [/status of 404/] } });

test('an administrator adds a user, who chooses a password', async ({ page, isUsable }) => {
  await page.goto('/login');
  await signInAsAdministrator(page);
  await openPage(page, 'Administration');
  await page.getByRole('button', { name: 'Add a user' }).click();
  await page.getByLabel('E-mail address').fill('grace@example.org');
  await page.getByRole('button', { name: 'Add and invite' }).click();
  const address = await page.getByLabel('Address of the invitation').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('grace@example.org')).toBeVisible();

  await page.context().clearCookies();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue('grace@example.org');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Repeat the password' }).fill('something else');
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await isUsable();
  await page.getByRole('textbox', { name: 'Repeat the password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Connect your first mailbox' })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/login');
  await page.goto(address);
  await expect(page.getByText(/^This invitation is incomplete, was used or replaced/)).toBeVisible();
});
