import type { Page } from '@playwright/test';
import { severeFindings } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { PASSWORD, signUp } from './support/people';

const isSignedIn = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'Account and appearance' })).toBeVisible();

/** A device of the person's, as Chromium plays one, that holds passkeys and checks a finger. */
async function addDevice(page: Page): Promise<{ approves: (does: boolean) => Promise<void> }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    approves: async (isUserVerified) => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

test.describe('passkeys', () => {
  // What is wrong is said with a status of its own.
  test.use({ expectedErrors: { patterns: [/status of 40[13]/] } });

  test('are added, renamed, sign in without a password, and are deleted', async ({ page }) => {
    await signUp(page);
    const device = await addDevice(page);
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My phone');
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Continue' }) });
    await form.getByRole('textbox', { name: 'Your password' }).fill('a guess');
    await form.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('This is not your password.')).toBeVisible();
    await form.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    expect(await severeFindings(page, 'desk')).toEqual([]);
    await form.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText(/^The passkey was added\./)).toBeVisible();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await expect(passkeys.getByRole('listitem')).toContainText('My phone');
    await expect(passkeys).toContainText('never used');
    await passkeys.getByRole('button', { name: 'Rename: My phone' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename the passkey My phone' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Old phone');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await expect(passkeys.getByRole('listitem')).toContainText('Old phone');

    // The same device has one already.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await form.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible();
    await form.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await device.approves(false);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('The request was cancelled or took too long.')).toBeVisible();
    expect(await severeFindings(page, 'desk')).toEqual([]);
    await device.approves(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isSignedIn(page);

    await page.goto('/settings/security');
    await expect(passkeys).toContainText('last used');
    await passkeys.getByRole('button', { name: 'Delete: Old phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the passkey Old phone?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(passkeys).toHaveCount(0);
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText(/^This passkey does not open an account here\./)).toBeVisible();
  });

  test('have a QR code for the other second factor beside them', async ({ page }) => {
    await signUp(page);
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Continue' }) });
    await form.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Continue' }).click();
    const code = page.getByRole('img', { name: 'QR code for the authenticator app' });
    await expect(code).toBeVisible();
    expect(await code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(20);
    expect(await severeFindings(page, 'desk')).toEqual([]);
  });
});
