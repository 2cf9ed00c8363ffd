import { type BrowserContext, type Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { archiveAll, signUp } from './support/people';
import { patient } from './support/patience';
import { openPage } from './support/places';

/** As fifteen minutes would. */
const expire = (context: BrowserContext): Promise<void> => context.clearCookies({ name: 'mailroom_access' });

const isSignedIn = (page: Page): Promise<void> =>
  expect(page.getByRole('button', { name: 'Account and appearance' })).toBeVisible();

const signInShown = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

test.describe('a session', () => {
  // A tab that is loaded anew may leave its renewal to the next one, which waits for its cookies.
  test.use({ expectedErrors: { patterns: [/status of 409/] } });

  test('is renewed invisibly, once for all requests', async ({ page, context }) => {
    await signUp(page, { mailbox: true, messages: 60 });
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) renewals.push(request.url());
    });
    await expire(context);
    await openPage(page, 'Home');
    await expect(page.getByRole('heading', { name: 'Who fills it' })).toBeVisible();
    expect(renewals).toHaveLength(1);
  });

  test('is renewed by one of several tabs, for all of them', async ({ page, context }) => {
    await signUp(page);
    const second = await context.newPage();
    await second.goto('/settings');
    await isSignedIn(second);
    await expire(context);
    await Promise.all([page.reload(), second.reload()]);
    await isSignedIn(page);
    await isSignedIn(second);
    await expire(context);
    await second.reload();
    await isSignedIn(second);
  });

  test('ends in all tabs at once, and starts in all of them', async ({ page, context }) => {
    const email = await signUp(page);
    const second = await context.newPage();
    await second.goto('/settings');
    await isSignedIn(second);
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInShown(page);
    await signInShown(second);
    await second.getByLabel('E-mail address').fill(email);
    await second.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await isSignedIn(second);
    await isSignedIn(page);
  });

  test('that is ended elsewhere leads to the sign-in page, and back to the previous page', async ({
    page,
    service,
  }) => {
    const email = await signUp(page, { mailbox: true, messages: 60 });
    await openPage(page, 'Home');
    await expect(page.getByRole('heading', { name: 'Who fills it' })).toBeVisible();
    await service.deactivate(email);
    // The live updates tell.
    await signInShown(page);
    await expect(page).toHaveURL(/next=.*overview/);
  });
});

test.describe('a service that is unavailable', () => {
  test.use({
    expectedErrors: {
      patterns: [/Failed to load resource/, /ERR_/, /A part of the page could not be loaded/],
    },
  });

  test('is reported as unavailable and found again, and its jobs continue, in all tabs', async ({
    page,
    context,
    service,
  }) => {
    await signUp(page, { mailbox: true, messages: 1_000 });
    await openPage(page, 'Home');
    // The job that gets to know the mailbox is over.
    await expect(page.getByText(/^From all \d+ messages/)).toBeVisible({ timeout: patient(40_000) });
    await openPage(page, 'Mail');
    const rows = page.getByRole('listbox', { name: 'Messages' }).getByRole('option');
    await expect(rows.filter({ hasNotText: 'Loading' }).first()).toBeVisible();
    const second = await context.newPage();
    await second.goto('/settings');
    await isSignedIn(second);
    await archiveAll(page);
    const tray = (of: Page): ReturnType<Page['locator']> =>
      of.getByRole('button', { name: /job is running$/ });
    await expect(tray(page)).toBeVisible();
    await expect(tray(second)).toBeVisible();
    await tray(second).click();
    const job = second.getByRole('listitem').filter({ hasText: 'Save to archive' });
    await expect(job).toContainText('Running');
    await service.restart(async () => {
      // What was loaded stays; the service put the job back before it ended.
      await expect(job).toContainText(/Running|Waiting/);
      await openPage(page, 'Home');
      await expect(page.getByRole('heading', { name: 'Who fills it' })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await openPage(page, 'Mail');
      await expect(rows.first()).toBeVisible();
      await page.getByLabel('Search in the mailbox').fill('has:attachment');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert').first()).toContainText('The service cannot be reached.');
    });
    // Without a click.
    await expect(page.getByRole('listbox', { name: 'Messages' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: patient(40_000) });
    await expect(job).toContainText('Done', { timeout: patient(40_000) });
    await expect(job).toContainText(/9\d\d/);
    await expect(tray(page)).toBeHidden();
  });
});
