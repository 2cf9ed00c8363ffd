import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { patient } from './support/patience';
import { openPage } from './support/places';

const MESSAGES = 200;
const RULE = 'Old shop mail';

test.setTimeout(patient(120_000));

const item = (page: Page, list: string, name: string): ReturnType<Page['locator']> =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: name });

test(
  'a user writes a rule with its preview, runs and undoes it, unsubscribes from newsletters, and previews a policy',
  { tag: '@change' },
  async ({ page, isUsable }) => {
    await signUp(page, { mailbox: true, messages: MESSAGES });

    await test.step('write a rule', async () => {
      await openPage(page, 'Rules');
      await page.getByRole('button', { name: 'Write a rule' }).click();
      await page.getByLabel('Name').fill(RULE);
      await page.getByLabel('Condition 1: what is looked at').selectOption({ label: 'Larger than' });
      await page.getByLabel('Condition 1: value').fill('0.001');
      await page.getByLabel('Then').selectOption({ label: 'Mark as read' });
      await expect(page.getByText(/^At the moment these are about \d+ messages/)).toBeVisible();
      await page.getByRole('button', { name: 'Save the rule' }).click();
      await expect(item(page, 'Rules', RULE)).toContainText('When it is larger than');
      await isUsable();
    });

    await test.step('run it', async () => {
      await item(page, 'Rules', RULE).getByRole('button', { name: 'Run now' }).click();
      const dialog = page.getByRole('dialog', { name: `Run ${RULE} now?` });
      await expect(dialog.getByText(/^At the moment/)).toBeVisible();
      await dialog.getByRole('button', { name: 'Run now' }).click();
      await expect(item(page, 'Rules', RULE)).toContainText(/Last run .*: \d+ messages\./, {
        timeout: patient(40_000),
      });
    });

    await test.step('use a template, switch it off, and delete it', async () => {
      const rules = page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem');
      await page
        .getByRole('button', { name: /^Use this rule/ })
        .first()
        .click();
      await expect(rules).toHaveCount(2);
      const other = rules.filter({ hasNotText: RULE });
      await other.getByRole('switch').press('Space');
      await expect(other.getByRole('switch')).not.toBeChecked();
      await other.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect(rules).toHaveCount(1);
    });

    await test.step('move the newsletters of a sender to the trash', async () => {
      await openPage(page, 'Newsletters');
      const senders = page.getByRole('list', { name: 'Newsletters', exact: true }).getByRole('listitem');
      await expect(senders.first()).toBeVisible();
      const count = await senders.count();
      await senders
        .first()
        .getByRole('button', { name: /^Trash/ })
        .click();
      const dialog = page.getByRole('dialog');
      const leavesOut = dialog.getByRole('checkbox', { name: 'Leave out starred and important messages' });
      await expect(leavesOut.or(dialog.getByText('None of them is starred or important.'))).toBeVisible();
      // The mailbox of each person is another one.
      if (await leavesOut.isVisible()) {
        await expect(leavesOut).toBeChecked();
        await leavesOut.uncheck();
      }
      await dialog.getByRole('button', { name: /to the trash$/ }).click();
      await expect(senders).toHaveCount(count - 1, { timeout: patient(40_000) });
    });

    await test.step('create a policy, preview it, and switch it on', async () => {
      await openPage(page, 'Retention');
      await page.getByRole('button', { name: 'New policy' }).click();
      await page.getByLabel('Name').fill('Ten years');
      await page.getByRole('button', { name: 'Save, switched off' }).click();
      const policy = item(page, 'Retention', 'Ten years');
      await policy.getByRole('button', { name: 'What it would delete' }).click();
      await expect(policy.getByText(/^At the moment it would delete 0 messages/)).toBeVisible();
      await isUsable();
      await policy.getByRole('button', { name: 'Switch on' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
      await expect(policy.getByRole('button', { name: 'Switch off' })).toBeVisible();
    });
  },
);
