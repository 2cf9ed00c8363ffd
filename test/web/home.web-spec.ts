import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';
import { linkIn, openPage } from './support/places';

const COPIED_WITHIN_MS = patient(60_000);

test.describe('the start page', { tag: '@change' }, () => {
  test('says how safe the mail is, what to do, and what happened meanwhile', async ({
    page,
    isUsable,
    isFrenchToo,
  }) => {
    await signUp(page, { mailbox: true, messages: 60 });
    await openPage(page, 'Home');
    const week = page.getByRole('region', { name: 'Your first week' });
    await expect(week.getByRole('img', { name: 'Done' })).toHaveCount(1);
    await expect(week.getByText('2 things to do')).toBeVisible();
    await isUsable();
    await isFrenchToo();

    await test.step('its numbers are those of the pages to which they lead', async () => {
      const unread = page.getByRole('link', { name: /^Unread in the inbox/ });
      await expect(unread).toHaveText(/\d$/);
      const count = /\d+$/.exec((await unread.textContent())!)![0];
      await unread.click();
      await expect(page.getByText(`${count} found`, { exact: true })).toBeVisible();
      await page.goBack();
    });

    await test.step('keeping everything is ticked, and told in one sentence', async () => {
      await week.getByRole('link', { name: 'Keep everything' }).click();
      await page.getByRole('radio', { name: 'Keep everything' }).check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await openPage(page, 'Home');
      await expect(week.getByRole('img', { name: 'Done' })).toHaveCount(2);
      const safety = page.getByRole('region', { name: 'Is your mail safe?' });
      await expect(safety.getByText(/^(\d+) of \1 messages are in the archive/)).toBeVisible({
        timeout: COPIED_WITHIN_MS,
      });
    });

    await test.step('what has ended since the last visit is listed', async () => {
      await page.addInitScript(() => {
        if (sessionStorage.getItem('was-away') !== null) return;
        sessionStorage.setItem('was-away', 'yes');
        for (const key of Object.keys(localStorage).filter((one) => one.startsWith('mailroom-home-')))
          localStorage.setItem(key, JSON.stringify({ seenAt: '2026-01-01T00:00:00.000Z' }));
      });
      await page.reload();
      const away = page.getByRole('region', { name: 'While you were away' });
      await expect(away.getByRole('listitem').first()).toBeVisible();
      await isUsable();
      await away.getByRole('link').first().click();
      await expect(page.getByRole('list', { name: 'Jobs' }).getByRole('listitem').first()).toBeVisible();
      await page.goBack();
    });

    await test.step('the list of the first week is hidden on request', async () => {
      await week.getByRole('button', { name: 'Hide this list' }).click();
      await expect(week).toBeHidden();
      await expect(page.getByRole('region', { name: 'What next' })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('region', { name: 'What next' })).toBeVisible();
      await expect(week).toBeHidden();
    });
  });

  test('leads those without a mailbox to connect one or to import mail', async ({ page, isUsable }) => {
    await signUp(page);
    await openPage(page, 'Home');
    await expect(page).toHaveURL(/\/home$/);
    await expect(linkIn(page, 'Places', 'Home')).toHaveAttribute('aria-current', 'page');
    const week = page.getByRole('region', { name: 'Your first week' });
    await expect(week.getByText('3 things to do')).toBeVisible();
    await isUsable();
    await week.getByRole('link', { name: 'Connect a mailbox, or import mail' }).click();
    await expect(page.getByRole('heading', { name: 'Connect your first mailbox' })).toBeVisible();
  });
});
