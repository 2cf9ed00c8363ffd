import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { archiveAll, signUp } from './support/people';
import { openPage } from './support/places';

/** Notes what is handed to the printer, of which a browser without a screen has none. */
async function watchPrinter(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const printed: string[] = [];
    Object.assign(globalThis, { printed });
    const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')!;
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: HTMLIFrameElement) {
        const real = get!.call(this) as Window | null;
        if (this.dataset['print'] === undefined || !real) return real;
        return {
          focus: () => undefined,
          addEventListener: () => undefined,
          print: () => printed.push(real.document.body.innerText),
        };
      },
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { printed: string[] }).printed);
}

for (const [link, name] of [
  ['Mail', 'Messages'],
  ['Archive', 'Archived messages'],
] as const)
  test(`a message of the list ${link} is printed completely, without the rest of the page`, async ({
    page,
    isUsable,
  }) => {
    const printed = await watchPrinter(page);
    await signUp(page, { mailbox: true, messages: 60 });
    const archived = await archiveAll(page);
    await archived();
    await openPage(page, link);
    const row = page
      .getByRole('listbox', { name })
      .getByRole('option')
      .filter({ hasNotText: 'Loading' })
      .first();
    await row.click();
    const reader = page.getByRole('region', { name: 'Message' });
    const subject = (await reader.getByRole('heading').textContent()) ?? '';
    const text = await page.frameLocator('iframe[title="Text of the message"]').locator('body').innerText();
    await isUsable();
    await reader.getByRole('button', { name: 'Print' }).click();
    await expect.poll(async () => (await printed()).length).toBe(1);
    await page.keyboard.press('ControlOrMeta+p');
    await expect.poll(async () => (await printed()).length).toBe(2);
    for (const paper of await printed()) {
      expect(paper).toContain(subject);
      expect(paper).toContain(text.trim().slice(-40));
      expect(paper).not.toContain('Clean up');
    }
    // By the browser's own menu: the page without its frame, its list and its buttons.
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation').first()).toBeHidden();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(row).toBeHidden();
    await expect(reader.getByText(subject, { exact: true })).toBeVisible();
  });
