import type { Response } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { linkIn } from './support/places';

test.describe('in French', () => {
  test.describe('for a browser in French', () => {
    test.use({ locale: 'fr-FR' });

    test('users choose English or French before they sign in, and the choice is kept', async ({
      page,
      isUsable,
    }) => {
      await page.goto('/login');
      await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
      await isUsable();
      await page.getByLabel('Adresse e-mail').fill('ada@example.org');
      await page.getByLabel('Langue').selectOption({ label: 'English' });
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      // Nothing was loaded anew.
      await expect(page.getByLabel('E-mail address')).toHaveValue('ada@example.org');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await page.getByLabel('Language').selectOption({ label: 'Français' });
      await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
    });

    test('pages load only French texts', async ({ page }) => {
      await signUp(page, { mailbox: true, messages: 60, title: 'Boîtes aux lettres' });
      const scripts: Promise<string>[] = [];
      const note = (response: Response): void => {
        if (response.url().endsWith('.js')) scripts.push(response.text());
      };
      page.on('response', note);
      await linkIn(page, 'Rubriques', 'Nettoyage').click();
      await linkIn(page, 'Nettoyage', 'Règles').click();
      await expect(page.getByRole('heading', { name: 'Règles prêtes à l’emploi' })).toBeVisible();
      await expect(page).toHaveTitle('Règles · Mailroom');
      // Other pages are loaded ahead.
      page.off('response', note);
      const loaded = (await Promise.all(scripts)).join('\n');
      expect([loaded.includes('Écrire une règle'), loaded.includes('Write a rule')]).toEqual([true, false]);
    });
  });

  test('messages are found, moved to the trash and restored', async ({ page }) => {
    await signUp(page, { mailbox: true });
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Français' }).click();
    await expect(page.getByRole('menuitem', { name: 'Se déconnecter' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Compte et apparence' })).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Boîtes aux lettres' })).toBeVisible();

    await linkIn(page, 'Rubriques', 'Accueil').click();
    await expect(page.getByText(/^D’après les 5\d\d messages hors spam et corbeille$/)).toBeVisible();
    await linkIn(page, 'Rubriques', 'Courrier').click();
    const list = page.getByRole('listbox', { name: 'Messages' });
    await expect(list.getByRole('option').filter({ hasNotText: 'Chargement' }).first()).toBeVisible();
    await list.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await expect(page.getByText('2 sélectionnés')).toBeVisible();
    await page.getByRole('button', { name: 'Corbeille', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Mettre 2 messages à la corbeille ?' });
    await dialog.getByRole('button', { name: 'Mettre 2 messages à la corbeille' }).click();
    await page.getByRole('button', { name: /^Tâches$|tâches? en cours$/ }).click();
    await expect(page.getByText('2 mis à la corbeille').first()).toBeVisible();
    await page.getByRole('button', { name: 'Remettre comme avant' }).first().click();
    await expect(page.getByText('2 sont comme avant').first()).toBeVisible();
  });

  test('the language of a user applies in another browser', async ({ page, browser }) => {
    await signUp(page);
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    const kept = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/auth/preferences') && answer.request().method() === 'PATCH',
    );
    await page.getByRole('menuitem', { name: 'Français' }).click();
    expect((await kept).status()).toBe(200);
    const { cookies } = await page.context().storageState();
    const elsewhere = await browser.newContext({ locale: 'en-GB', storageState: { cookies, origins: [] } });
    const other = await elsewhere.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('heading', { name: 'Boîtes aux lettres' })).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('lang', 'fr');
    await elsewhere.close();
  });
});
