import type { Page, Route } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

/** Refusals are answered as the service would: what is tested is what the page makes of them. */
test.use({
  expectedErrors: { patterns: [/Failed to load resource/, /A part of the page could not be loaded/] },
});

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: number;
}

const answer = (route: Route, { status, code, retryAfter }: Refusal): Promise<void> =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    body: JSON.stringify({ status, code, detail: 'A detail.', requestId: 'request-1' }),
  });

/** Refuses what is asked below a path, until it is called. */
async function refuse(page: Page, path: string, refusal: Refusal): Promise<() => Promise<void>> {
  const url = `**/api/**/${path}`;
  await page.route(url, (route) => answer(route, refusal));
  return () => page.unroute(url);
}

const openMailbox = (page: Page): Promise<void> => openPage(page, 'Mail');
const messages = (page: Page): ReturnType<Page['locator']> => page.getByRole('listbox', { name: 'Messages' });
const problem = (page: Page): ReturnType<Page['locator']> => page.getByRole('alert').first();

test.describe('when something fails, the page', () => {
  test.beforeEach(({ page }) => signUp(page, { mailbox: true, messages: 60 }));

  test('explains what and why, with details for an administrator, and what can be done', async ({
    page,
    isUsable,
  }) => {
    const list = page.getByRole('listbox', { name: 'Messages' });
    const failing = await refuse(page, 'messages?*', { status: 500, code: 'internal-error' });
    await openMailbox(page);
    await expect(problem(page)).toContainText('Something went wrong in the service.');
    await expect(problem(page)).toContainText('Code internal-error · Request request-1');
    await isUsable();
    await failing();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(list).toBeVisible();

    for (const { status, code, says } of [
      { status: 429, code: 'too-many-requests', says: 'Too many requests.' },
      { status: 503, code: 'provider-rate-limited', says: 'The mail provider can be asked no more' },
    ]) {
      const busy = await refuse(page, 'messages?*', { status, code, retryAfter: 4 });
      await page.reload();
      await expect(problem(page)).toContainText(says);
      await expect(problem(page)).toContainText(/Trying again in \d sec/);
      await busy();
      // Without a click.
      await expect(list).toBeVisible();
    }

    const consentEnded = await refuse(page, 'messages?*', { status: 409, code: 'mailbox-reauth-required' });
    await page.reload();
    await expect(problem(page)).toContainText('wants you to connect this mailbox again');
    await isUsable();
    await consentEnded();
    await problem(page).getByRole('button', { name: 'Connect the mailbox again' }).click();
    await expect(page.getByText(/is connected\.$/)).toBeVisible();
  });

  test('reports that a message deleted in the meantime no longer exists', async ({ page }) => {
    await openMailbox(page);
    await expect(messages(page)).toBeVisible();
    const gone = new URL(page.url());
    gone.searchParams.set('message', 'ffffffffffffffff');
    await page.goto(gone.href);
    await expect(page.getByRole('region', { name: 'Message' })).toContainText('no longer there');
    // Once, and not to be tried again.
    await expect(page.getByRole('region', { name: 'Message' }).getByRole('alert')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
    await expect(messages(page)).toBeVisible();
  });

  test('shows a loading indicator when loading takes a moment', async ({ page, isUsable }) => {
    const held: Route[] = [];
    await page.route('**/api/**/messages?*', (route) => void held.push(route));
    await openMailbox(page);
    await expect(page.getByText('Loading').first()).toBeAttached();
    await isUsable();
    await Promise.all(held.map((route) => route.continue()));
    await expect(messages(page)).toBeVisible();
  });

  test('reloads a part automatically that failed while the service was unavailable', async ({ page }) => {
    await expect(page.getByRole('link', { name: 'Archive', exact: true })).toBeVisible();
    // The part is asked for when its page is opened; none of it is there, and the service does not answer.
    const away = (route: Route): Promise<void> => route.abort();
    await page.route(/\/assets\/|\/api\/auth\/config/, away);
    await openPage(page, 'Archive');
    await expect(problem(page)).toContainText('The service cannot be reached.');
    await page.unroute(/\/assets\/|\/api\/auth\/config/, away);
    await expect(page.getByText(/Nothing is archived yet/)).toBeVisible();
  });

  test('keeps the loaded data offline, and shows how old it is', async ({ page, context, isUsable }) => {
    await openMailbox(page);
    const first = messages(page).getByRole('option').filter({ hasNotText: 'Loading' }).first();
    const shown = await first.innerText();
    await context.setOffline(true);
    await expect(page.getByText(/^You are offline\. What you see is from .*\d\d:\d\d/)).toBeVisible();
    await expect(first).toHaveText(shown, { useInnerText: true });
    await isUsable();
    await context.setOffline(false);
    await expect(page.getByText(/^You are offline/)).toBeHidden();
  });
});
