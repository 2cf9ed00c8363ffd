import { expect, test } from './support/fixtures';
import { signInAsAdministrator } from './support/people';
import { openPage } from './support/places';

const FIRST = 'correct horse battery';
const SECOND = 'a staple of the horse';

test.use({ expectedErrors: { patterns: [/status of (400|404)/] } });

test('an administrator creates a link, with which a user sets a new password', async ({ page, isUsable }) => {
  await page.goto('/login');
  await page.getByText('Forgotten your password?').click();
  await expect(page.getByText(/An administrator can make you a link/)).toBeVisible();
  await expect(page.getByText(/user:reset-password/)).toBeVisible();
  await isUsable();

  const email = 'margaret.hamilton@example.org';
  await signInAsAdministrator(page);
  await openPage(page, 'Administration');
  await page.getByRole('button', { name: 'Add a user' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Add and invite' }).click();
  const invitation = await page.getByLabel('Address of the invitation').inputValue();
  await page.context().clearCookies();
  await page.goto(invitation);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(FIRST);
  await page.getByRole('textbox', { name: 'Repeat the password' }).fill(FIRST);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Connect your first mailbox' })).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/login');
  await signInAsAdministrator(page);
  await openPage(page, 'Administration');
  await page.getByRole('button', { name: `Change: ${email}` }).click();
  await page.getByRole('button', { name: 'New password link' }).click();
  const link = await page.getByLabel('Address of the link').inputValue();

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose another password' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('password1');
  await page.getByRole('textbox', { name: 'Repeat the password' }).fill('password1');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('Everybody tries this password first. Choose another one.')).toBeVisible();
  await isUsable();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(SECOND);
  await page.getByRole('textbox', { name: 'Repeat the password' }).fill(SECOND);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('Your password is changed. Sign in with it.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(SECOND);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Connect your first mailbox' })).toBeVisible();
});
