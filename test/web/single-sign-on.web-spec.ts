import type { Page } from '@playwright/test';
import { TestOpenIdProvider } from '../support/oidc/openid-provider';
import { freePort } from '../support/service-process';
import { test as base, expect } from './support/fixtures';
import { PASSWORD, signUp } from './support/people';
import { OPENID_CLIENT, type WebServiceOptions } from './support/web-service';

interface Workers {
  readonly openIdPort: number;
  readonly serviceOptions: WebServiceOptions;
  readonly openId: TestOpenIdProvider;
}

const test = base.extend<object, Workers>({
  openIdPort: [
    // Playwright wants a pattern, also an empty one.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => use(await freePort()),
    { scope: 'worker' },
  ],
  serviceOptions: [
    async ({ openIdPort }, use) => use({ openIdIssuer: `http://127.0.0.1:${openIdPort}` }),
    { scope: 'worker' },
  ],
  openId: [
    async ({ openIdPort, service }, use) => {
      const redirectUri = `${service.url}/api/auth/oidc/callback`;
      const provider = await TestOpenIdProvider.start(openIdPort, { ...OPENID_CLIENT, redirectUri });
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
});

const chooseProvider = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Sign in with Our house' }).click();

test('a user links the identity provider, signs in through it, and unlinks it', async ({
  page,
  openId,
  isUsable,
  isFrenchToo,
}) => {
  const email = await signUp(page);
  await openId.account({ sub: 'ada', email, email_verified: true, name: 'Ada' });

  await test.step('an address that has a password is not taken over', async () => {
    await page.context().clearCookies();
    await page.goto('/login');
    await openId.person('ada');
    await chooseProvider(page);
    const problem = page.getByRole('alert').filter({ hasText: 'Single sign-on did not work' });
    await expect(problem).toContainText('There is an account with your address that has a password.');
    await isUsable();
    await isFrenchToo();
  });

  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Mailboxes' })).toBeVisible();
  const openSecurity = async (): Promise<void> => {
    await page.goto('/settings/security');
    await expect(page.getByRole('button', { name: 'Link Our house', exact: true })).toBeVisible();
  };
  const prove = async (verb: string): Promise<void> => {
    await page.getByRole('button', { name: verb, exact: true }).click();
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await page.getByRole('button', { name: verb, exact: true }).click();
  };

  await test.step('a refusal at the provider is reported', async () => {
    await openSecurity();
    // They are still signed in there.
    await page.context().clearCookies({ domain: '127.0.0.1' });
    await openId.person('deny');
    await prove('Link Our house');
    await expect(page.getByText(/^The identity provider did not let you through/)).toBeVisible();
    await expect(page).toHaveURL(/\/settings\/security\?/);
  });

  await test.step('link it', async () => {
    await openId.person('ada');
    await prove('Link Our house');
    await expect(
      page.getByText('Our house is linked: you can sign in through it from now on.'),
    ).toBeVisible();
    await isUsable();
    await isFrenchToo();
  });

  await test.step('sign in, and land on the page they wanted', async () => {
    await page.context().clearCookies();
    await page.goto('/settings/profile');
    await chooseProvider(page);
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  });

  await test.step('unlink it', async () => {
    await openSecurity();
    await prove('Unlink Our house');
    await expect(page.getByText('It is no longer linked.')).toBeVisible();
    await expect(page.getByText(/^Our house is linked/)).toBeHidden();
    await page.context().clearCookies();
    await page.goto('/login');
    await chooseProvider(page);
    await expect(page.getByText('Single sign-on did not work')).toBeVisible();
  });
});
