import { expect, test } from './support/fixtures';

const ADA = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' };

// A service of its own, without users.
test.use({ serviceOptions: { unused: true } });
test.describe.configure({ mode: 'serial' });

test.describe('the first run', { tag: '@change' }, () => {
  test('creates the administrator, connects a mailbox, and shows it', async ({ page, isUsable }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Create the administrator' })).toBeVisible();
    await isUsable();
    await page.getByLabel('E-mail address').fill('ada');
    await page.getByRole('button', { name: 'Create the administrator' }).click();
    await expect(page.getByText('This is not an e-mail address.')).toBeVisible();
    await page.getByLabel('Name').fill(ADA.name);
    await page.getByLabel('E-mail address').fill(ADA.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
    await page.getByRole('button', { name: 'Create the administrator' }).click();

    await expect(page.getByRole('heading', { name: 'Connect your first mailbox' })).toBeVisible();
    await page.getByRole('button', { name: 'Connect: Sandbox mailbox' }).click();
    await expect(page.getByText(/^.+@.+ is connected\.$/)).toBeVisible();

    await expect(page.getByRole('region', { name: 'Keep everything of it?' })).toBeVisible();
    await isUsable();
    await page.getByRole('link', { name: 'Not now, show me the mailbox' }).click();
    await expect(page.getByRole('heading', { name: 'Who fills it' })).toBeVisible();
    // The end of the job that gets to know the rest brings the rest.
    await expect(page.getByText(/^From all 5\d\d messages outside of spam and trash$/)).toBeVisible();
    await expect(page.getByText(/^Your mail is only in the mailbox/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Suggestions' }).getByRole('link').first()).toBeVisible();
    const months = page.getByRole('region', { name: 'By month' });
    await months.getByText('Show as a table').click();
    await isUsable();
    const [first] = await months.getByRole('link').all();
    await first!.click();
    await expect(page).toHaveURL(/mailbox\?q=after/);
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  });

  test('is over for later users: they sign in, and return to the page they wanted', async ({ page }) => {
    await page.goto('/settings');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.getByLabel('E-mail address').fill(ADA.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('The e-mail address or the password is wrong.');
    await expect(page.getByRole('alert')).not.toContainText('invalid-credentials');
    await page.getByRole('textbox', { name: 'Password' }).fill(ADA.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByRole('heading', { name: 'Mailboxes' })).toBeVisible();

    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});
