import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from './support/fixtures';
import { PASSWORD, signUp } from './support/people';

const NEXT = 'staple of a correct horse';

const isSignedIn = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'Account and appearance' })).toBeVisible();

const open = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click();

/** Signs in as a person does. */
async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Another device of the person's, signed in. */
async function secondDevice(browser: Browser, url: string, email: string, password: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await signIn(page, email, password);
  await isSignedIn(page);
  return page;
}

test.describe('the settings of a user', () => {
  // What is wrong, and what has ended, is said with a status of its own.
  test.use({ expectedErrors: { patterns: [/status of 40[13]/] } });

  test('change the password, which signs other devices out', async ({ page, browser, service }) => {
    const email = await signUp(page);
    const other = await secondDevice(browser, service.url, email, PASSWORD);
    await open(page, 'Security');
    const sessions = page.getByRole('list', { name: 'Signed in on' }).getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await page.getByRole('textbox', { name: 'Current password' }).fill('a guess');
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(NEXT);
    await page.getByRole('textbox', { name: 'New password again' }).fill(NEXT);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await expect(page.getByText('This is not your password.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await expect(page.getByText(/^The password was changed\./)).toBeVisible();
    await expect(sessions).toHaveCount(1);
    // The live updates tell.
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await signIn(other, email, PASSWORD);
    await expect(other.getByText('The e-mail address or the password is wrong.')).toBeVisible();
    await signIn(other, email, NEXT);
    await isSignedIn(other);
    await other.context().close();
  });

  test('list the sessions, and sign a device out', async ({ page, browser, service }) => {
    const email = await signUp(page);
    const other = await secondDevice(browser, service.url, email, PASSWORD);
    await open(page, 'Security');
    const sessions = page.getByRole('list', { name: 'Signed in on' });
    await expect(sessions.getByText('This device')).toHaveCount(1);
    await sessions.getByRole('button', { name: /^Sign out: Chrome on Linux$/ }).click();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await signIn(other, email, PASSWORD);
    await isSignedIn(other);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
    await expect(dialog.getByText('1 other session ends at once.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await other.context().close();
  });

  test('require a code once two-factor authentication is on, or a recovery code', async ({
    page,
    browser,
    service,
  }) => {
    const email = await signUp(page);
    await open(page, 'Security');
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
    await page.getByRole('textbox', { name: 'Code of the app' }).fill(code);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await expect(page.getByText('Keep these recovery codes')).toBeVisible();
    const codes = await page.locator('code').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();

    const context = await browser.newContext({ baseURL: service.url });
    const other = await context.newPage();
    await signIn(other, email, PASSWORD);
    // The code that switched it on is used up.
    await other.getByLabel('Code').fill(code);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(other.getByText(/^This code is wrong or was used already/)).toBeVisible();
    await other.getByLabel('Code').fill(codes[0]!);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await isSignedIn(other);
    await context.close();

    await page.reload();
    await expect(page.getByText('9 recovery codes are left.')).toBeVisible();
    await page.getByRole('button', { name: 'Switch off two-factor sign-in' }).click();
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await page
      .getByRole('region', { name: 'Two-factor sign-in' })
      .getByRole('textbox', { name: 'Code' })
      .fill(codes[1]!);
    await page.getByRole('button', { name: 'Switch off two-factor sign-in' }).click();
    await expect(page.getByRole('button', { name: 'Set up two-factor sign-in' })).toBeVisible();
  });

  test('change the name', async ({ page }) => {
    await signUp(page);
    await open(page, 'Profile');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada Lovelace');
  });
});
