import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { archiveAll, PASSWORD, signInAsAdministrator, signUp } from './support/people';
import { patient } from './support/patience';
import { linkIn, openPage } from './support/places';

/** A screen, and how one knows that it is there. */
interface Screen {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  readonly shown: (page: Page) => ReturnType<Page['locator']>;
  /** Back to where the next screen can be opened. */
  readonly leave?: (page: Page) => Promise<unknown>;
  /** It shows what was said of an answer when that came: it is said in another language when it is asked for again. */
  readonly keepsAnswer?: boolean;
}

const heading =
  (name: string | RegExp) =>
  (page: Page): ReturnType<Page['locator']> =>
    page.getByRole('heading', { name });

const dialog =
  (name: string | RegExp) =>
  (page: Page): ReturnType<Page['locator']> =>
    page.getByRole('dialog', { name });

const text =
  (wanted: string | RegExp) =>
  (page: Page): ReturnType<Page['locator']> =>
    page.getByText(wanted).first();

const firstRow = (page: Page): ReturnType<Page['locator']> =>
  page.getByRole('listbox').getByRole('option').filter({ hasNotText: 'Loading' }).first();

const escape = (page: Page): Promise<void> => page.keyboard.press('Escape');
const press = (role: 'button' | 'link' | 'menuitem', name: string) => (page: Page) =>
  page.getByRole(role, { name, exact: true }).click();

const place = (name: string) => (page: Page) => openPage(page, name);

const PUBLIC: readonly Screen[] = [
  { name: 'sign-in', open: (page) => page.goto('/login'), shown: heading('Sign in') },
  {
    name: 'sign-in that was refused by the identity provider',
    open: (page) => page.goto('/login?error=registration-closed'),
    shown: (page) => page.getByRole('alert'),
  },
  { name: 'registration', open: (page) => page.goto('/register'), shown: heading('Create an account') },
  {
    name: 'registration with mistakes',
    open: async (page) => {
      await page.getByLabel('E-mail address').fill('ada');
      await page.getByRole('button', { name: 'Create the account' }).click();
    },
    shown: text('This is not an e-mail address.'),
  },
  {
    name: 'an address without a page',
    open: (page) => page.goto('/nowhere'),
    shown: text('There is nothing at this address.'),
  },
];

const WITHOUT_MAILBOX: readonly Screen[] = [
  { name: 'no mailbox yet', open: (page) => page.goto('/settings'), shown: heading(/first mailbox/) },
  {
    name: 'consent that was declined',
    open: (page) => page.goto('/settings?mailbox=error&code=consent-denied'),
    shown: text('You declined at the provider.'),
  },
  {
    name: 'a mailbox by IMAP',
    open: async (page) => {
      await page.goto('/settings');
      await press('button', 'Connect: Any mailbox (IMAP)')(page);
    },
    shown: heading('Connect a mailbox by IMAP'),
  },
  {
    name: 'the server that was found for it',
    open: async (page) => {
      await page.getByLabel('Address of the mailbox').fill('ada@icloud.com');
      await press('button', 'Find the server')(page);
    },
    shown: text('iCloud wants an app password here'),
  },
  {
    name: 'a server that cannot be entered',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1');
      await page.getByRole('textbox', { name: 'Port' }).fill('1');
      await page.getByRole('textbox', { name: 'Password' }).fill('x');
      await press('button', 'Try it')(page);
    },
    shown: text('Mailroom could not sign in to the mailbox'),
    keepsAnswer: true,
  },
  {
    name: "somebody else's mailbox",
    open: (page) => page.goto('/a/00000000-0000-4000-8000-000000000000/mailbox'),
    shown: text('This mailbox is no longer yours.'),
  },
];

const OF_MAILBOX: readonly Screen[] = [
  {
    name: 'mailbox that was just connected',
    open: (page) => page.goto('/settings?mailbox=connected&account=ada@example.org'),
    shown: text(/is connected\.$/),
  },
  { name: 'mailboxes', open: (page) => page.goto('/settings'), shown: text('Connect another mailbox') },
  {
    name: 'disconnecting asks first',
    open: press('button', 'Disconnect'),
    shown: dialog(/^Disconnect /),
    leave: escape,
  },
  { name: 'profile', open: place('Profile'), shown: heading('Account') },
  {
    name: 'security',
    open: place('Security'),
    shown: (page) => page.getByRole('list', { name: 'Signed in on' }).getByText('This device'),
  },
  {
    name: 'new password with mistakes',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Current password' }).fill('a guess');
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill('short');
      await page.getByRole('textbox', { name: 'New password again' }).fill('other');
      await press('button', 'Change the password')(page);
    },
    shown: text('The passwords do not match.'),
  },
  {
    name: 'two-factor sign-in that is being set up',
    open: async (page) => {
      await press('button', 'Set up two-factor sign-in')(page);
      await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
      await press('button', 'Continue')(page);
    },
    shown: (page) => page.getByRole('link', { name: 'Open in the authenticator app' }),
    leave: press('button', 'Cancel'),
  },
  {
    name: 'menu of the person',
    open: press('button', 'Account and appearance'),
    shown: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    leave: escape,
  },
  { name: 'overview', open: place('Home'), shown: heading('Who fills it') },
  {
    name: 'space',
    open: async (page) => {
      await openPage(page, 'Space');
      await expect(page.getByRole('region', { name: 'Senders' }).getByRole('listitem').first()).toBeVisible();
    },
    shown: text('Show more senders'),
  },
  {
    name: 'continuous archiving that is off',
    open: place('Keep everything'),
    shown: text('The mailbox is archived only when you ask for it.'),
  },
  {
    name: 'settings of continuous archiving',
    open: async (page) => {
      await page.getByRole('radio', { name: 'Keep everything' }).check();
      await press('button', 'More settings')(page);
    },
    shown: text('Mail of these senders'),
    leave: press('button', 'Cancel'),
  },
  {
    name: 'rules',
    open: place('Rules'),
    shown: heading('Ready-made rules'),
  },
  {
    name: 'rule with its preview',
    open: async (page) => {
      await press('button', 'Write a rule')(page);
      await page.getByLabel('Condition 1: value').fill('example');
    },
    shown: text(/^At the moment/),
  },
  {
    name: 'rule with all kinds of conditions',
    open: async (page) => {
      for (const [position, field] of ['Label', 'Older than', 'Larger than', 'Attachments'].entries()) {
        await press('button', 'Add a condition')(page);
        await page.getByLabel(`Condition ${position + 2}: what is looked at`).selectOption({ label: field });
      }
      await page.getByLabel('Then').selectOption({ label: 'Add a label' });
    },
    shown: text('Fill in the conditions to see what the rule would find.'),
    leave: press('button', 'Cancel'),
  },
  { name: 'newsletters', open: place('Newsletters'), shown: text(/senders$/) },
  {
    name: 'the way out of a newsletter',
    open: (page) =>
      page
        .getByRole('button', { name: /^Unsubscribe/ })
        .first()
        .click(),
    shown: dialog(/^Unsubscribe from/),
    leave: escape,
  },
  {
    name: 'newsletters that are to be deleted',
    open: (page) =>
      page
        .getByRole('button', { name: /^Delete: / })
        .first()
        .click(),
    // Which of the two is said depends on what the newsletter has.
    shown: text(/^Among them starred|^None of them is starred/),
    leave: escape,
  },
  {
    name: 'trackers before a scan',
    open: place('Privacy'),
    shown: text('No trackers are known. Scan the mailbox to look for them.'),
  },
  {
    name: 'trackers',
    open: press('button', 'Scan the newest messages'),
    shown: (page) => page.getByRole('list', { name: 'Trackers' }).getByRole('listitem').first(),
  },
  {
    name: 'no personal data',
    open: (page) => page.getByRole('tab', { name: 'Personal data' }).click(),
    shown: text('Nothing was found. Scan the archive after you have saved mail to it.'),
  },
  {
    name: 'encryption that is not set up',
    open: (page) => page.getByRole('tab', { name: 'Encryption' }).click(),
    shown: text('There is no way back'),
  },
  {
    name: 'a passphrase with mistakes',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Passphrase', exact: true }).fill('short');
      await page.getByRole('checkbox').check();
      await press('button', 'Set the passphrase')(page);
    },
    shown: text('At least 8 characters.'),
  },
  {
    name: 'insights',
    open: place('Insights'),
    shown: (page) => page.getByRole('region', { name: 'Labels' }).getByRole('listitem').first(),
  },
  {
    name: 'insights as tables',
    open: async (page) => {
      for (const name of [
        'When mail arrives',
        'Messages per month',
        'Senders and how much you read',
        'Labels',
      ])
        await page.getByRole('region', { name }).getByText('Show as a table').click();
      await page.getByText('Most expensive requests').click();
    },
    shown: (page) => page.getByRole('table', { name: 'When mail arrives' }),
  },
  {
    name: 'notifications',
    open: (page) => page.goto('/notifications'),
    shown: (page) => page.getByRole('table', { name: 'What to notify me of' }),
  },
  {
    name: 'audit log',
    open: place('Audit log'),
    shown: (page) => page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first(),
  },
  {
    name: 'no refusals in the audit log',
    open: (page) => page.getByLabel('Outcome').selectOption({ label: 'Refused or failed' }),
    shown: text('No entry matches this filter.'),
  },
  {
    name: 'administration, for others',
    open: (page) => page.goto('/admin'),
    shown: text('Only administrators may see this.'),
    leave: (page) => page.goto('/settings'),
  },
  {
    name: 'no retention policies',
    open: place('Retention'),
    shown: text('There are no policies: archived mail is kept for good.'),
  },
  {
    name: 'retention policy that is being made',
    open: press('button', 'New policy'),
    shown: heading('New policy'),
    leave: press('button', 'Cancel'),
  },
  {
    name: 'keys',
    open: (page) => page.keyboard.press('?'),
    shown: (page) => page.getByRole('dialog'),
    leave: escape,
  },
  { name: 'empty archive', open: place('Archive'), shown: text(/Nothing is archived yet/) },
  { name: 'mailbox', open: place('Mail'), shown: firstRow },
  {
    name: 'mailbox in which nothing is found',
    open: async (page) => {
      await page.getByLabel('Search in the mailbox').fill('subject:nothinghasthisword');
      await page.keyboard.press('Enter');
    },
    shown: text('Nothing matches this search.'),
  },
  {
    name: 'search that is saved',
    open: async (page) => {
      await press('button', 'Saved searches')(page);
      await press('menuitem', 'Save this search')(page);
    },
    shown: dialog('Save this search'),
    leave: async (page) => {
      await page.getByLabel('Name').fill('Zettel');
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    },
  },
  {
    name: 'saved searches in order',
    open: async (page) => {
      await press('button', 'Saved searches')(page);
      await press('menuitem', 'Change the saved searches')(page);
    },
    shown: (page) => page.getByRole('button', { name: 'Change: Zettel' }),
    leave: async (page) => {
      await escape(page);
      await page.goBack();
    },
  },
  {
    name: 'message',
    open: (page) => firstRow(page).click(),
    shown: (page) => page.getByTitle('Text of the message'),
    leave: (page) => page.getByRole('button', { name: 'Close the message' }).click(),
  },
  {
    name: 'messages that are chosen',
    open: async (page) => {
      await page.getByRole('listbox', { name: 'Messages' }).press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('Shift+X');
    },
    shown: text('2 chosen'),
  },
  { name: 'trash asks first', open: press('button', 'Trash'), shown: dialog(/^Move 2 /), leave: escape },
  {
    name: 'all messages that match',
    open: (page) => page.getByRole('button', { name: /^Choose all( [\d,]+)? that match$/ }).click(),
    shown: text(/^[\d,]{3,} chosen$/),
  },
  {
    name: 'trash asks first, and leaves out what is starred',
    open: press('button', 'Trash'),
    shown: text('Leave out starred and important messages'),
    leave: escape,
  },
  {
    name: 'deletion for good asks for the number',
    open: press('button', 'Delete'),
    shown: text(/^Type \d+ to delete/),
    leave: escape,
  },
  {
    name: 'labels',
    open: press('button', 'Label'),
    shown: (page) => page.getByRole('menu'),
  },
  {
    name: 'labels to create or delete',
    open: press('menuitem', 'Create or delete labels'),
    shown: (page) => page.getByLabel('Name of the new label'),
    leave: escape,
  },
  {
    name: 'jobs',
    open: async (page) => {
      await press('button', 'Save to archive')(page);
      await page.getByRole('button', { name: /^Jobs$|running$/ }).click();
    },
    shown: text('Done'),
    leave: escape,
  },
];

const OF_ARCHIVE: readonly Screen[] = [
  {
    name: 'archive',
    open: place('Archive'),
    shown: firstRow,
  },
  {
    name: 'archive in which nothing is found',
    open: async (page) => {
      await page.getByLabel('Search in the archive').fill('nothinghasthisword');
      await page.keyboard.press('Enter');
    },
    shown: text('Nothing in the archive matches this search.'),
    leave: (page) => page.goBack(),
  },
  {
    name: 'filter of the archive',
    open: press('button', 'Filter'),
    shown: (page) => page.getByRole('textbox', { name: 'Recipient' }),
    leave: escape,
  },
  {
    name: 'conversations',
    open: (page) => page.getByText('Conversations', { exact: true }).click(),
    shown: text(/ in \d+ conversation/),
    leave: (page) => page.getByText('Messages', { exact: true }).click(),
  },
  {
    name: 'archived messages that are chosen',
    open: async (page) => {
      await expect(firstRow(page)).toBeVisible();
      await page.getByRole('listbox', { name: 'Archived messages' }).press('x');
    },
    shown: text('1 chosen'),
  },
  { name: 'export', open: press('button', 'Export'), shown: text('mbox'), leave: escape },
  {
    name: 'deletion from the archive asks first',
    open: press('button', 'Delete'),
    shown: dialog(/^Delete 1 message from the archive/),
    leave: escape,
  },
  {
    name: 'where to restore archived messages',
    open: press('button', 'Restore'),
    shown: dialog('Restore 1 message'),
    leave: escape,
  },
  {
    name: 'attachments of the archive',
    open: press('link', 'All attachments'),
    shown: (page) =>
      page.getByRole('list', { name: 'Attachments of the archive' }).getByRole('listitem').first(),
    leave: place('Archive'),
  },
  {
    name: 'what searches of the archive find',
    open: press('link', 'What a search finds'),
    shown: (page) => page.getByRole('table', { name: 'What a search finds' }),
  },
  {
    name: 'messages that searches of the archive find',
    open: (page) => page.getByRole('button', { name: /^Found by their words: \d+ messages?$/ }).click(),
    shown: (page) => page.getByRole('list', { name: 'Found by their words' }).getByRole('listitem').first(),
    leave: place('Archive'),
  },
  {
    name: 'all jobs',
    open: async (page) => {
      await page.getByRole('button', { name: /^Jobs$|running$/ }).click();
      await press('link', 'All jobs')(page);
    },
    shown: (page) => page.getByRole('list', { name: 'Jobs' }).getByRole('listitem').first(),
  },
  {
    name: 'no such jobs',
    open: (page) => page.getByLabel('Kind').selectOption({ label: 'Restore' }),
    shown: text('There are no such jobs.'),
  },
  {
    name: 'search without words',
    open: (page) => page.goto('/search'),
    shown: text('Search in all mailboxes and archives at once.'),
  },
  {
    name: 'search in all mail',
    open: async (page) => {
      await page.getByLabel('Search all mail').fill('larger:1');
      await page.keyboard.press('Enter');
    },
    shown: (page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem').first(),
  },
  {
    name: 'help of the search',
    open: press('button', 'Search tips'),
    shown: dialog('Search tips'),
    leave: escape,
  },
  {
    name: 'search in all mail that finds nothing',
    open: async (page) => {
      await page.getByLabel('Search all mail').fill('nothinghasthisword');
      await page.keyboard.press('Enter');
    },
    shown: text('Nothing matches this search.'),
    leave: place('Archive'),
  },
  {
    name: 'archived message',
    open: (page) => firstRow(page).click(),
    shown: (page) => page.getByTitle('Text of the message'),
  },
  {
    name: 'import and export',
    open: place('Import and export'),
    shown: heading('Import and export'),
  },
];

const OF_ADMINISTRATOR: readonly Screen[] = [
  {
    name: 'users',
    open: place('Administration'),
    shown: (page) => page.getByRole('list', { name: 'Users' }).getByRole('listitem').first(),
  },
  {
    name: 'a user that is being added, with mistakes',
    open: async (page) => {
      await press('button', 'Add a user')(page);
      await press('button', 'Add and invite')(page);
    },
    shown: text('This is not an e-mail address.'),
  },
  {
    name: 'a user who is invited',
    open: async (page) => {
      await page.getByLabel('E-mail address').fill(`invited-${process.pid}@example.org`);
      await press('button', 'Add and invite')(page);
    },
    shown: (page) => page.getByLabel('Address of the invitation'),
    leave: press('button', 'Done'),
  },
  {
    name: 'nobody matches',
    open: (page) => page.getByLabel('Search by name or address').fill('nobody-has-this-name'),
    shown: text('No user matches.'),
    leave: (page) => page.getByLabel('Search by name or address').clear(),
  },
  {
    name: 'a user that is being changed',
    open: (page) =>
      page
        .getByRole('button', { name: /^Change: person-/ })
        .first()
        .click(),
    shown: (page) => page.getByLabel('Storage (GB)'),
  },
  {
    name: 'deletion of a user asks for their address',
    open: press('button', 'Delete'),
    shown: dialog(/^Delete person-/),
    leave: escape,
  },
  {
    name: 'jobs of everybody',
    open: (page) => page.getByRole('tab', { name: 'Jobs' }).click(),
    shown: (page) => page.getByRole('table', { name: 'Jobs' }),
  },
  {
    name: 'audit log of the installation',
    open: (page) => page.getByRole('tab', { name: 'Audit log' }).click(),
    shown: (page) => page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first(),
  },
];

// They take as long as there are screens.
test.setTimeout(patient(240_000));

test.describe(
  'every screen is usable on a desktop and on a phone, light and dark:',
  { tag: '@change' },
  () => {
    const walk = async (
      page: Page,
      checks: { readonly isUsable: () => Promise<void>; readonly isFrenchToo?: () => Promise<void> },
      screens: readonly Screen[],
    ): Promise<void> => {
      for (const { name, open, shown, leave, keepsAnswer = false } of screens)
        await test.step(name, async () => {
          await open(page);
          await expect(shown(page)).toBeVisible();
          await checks.isUsable();
          if (!keepsAnswer) await checks.isFrenchToo?.();
          await leave?.(page);
        });
    };

    test('those for anonymous visitors', ({ page, isUsable, isFrenchToo }) =>
      walk(page, { isUsable, isFrenchToo }, PUBLIC));

    test('those for users without a mailbox', async ({ page, isUsable, isFrenchToo }) => {
      await signUp(page);
      await walk(page, { isUsable, isFrenchToo }, WITHOUT_MAILBOX);
      for (const width of [390, 800, 1_000]) {
        await page.setViewportSize({ width, height: 800 });
        const navigation = width < 900 ? 'Main places' : 'Places';
        await linkIn(page, navigation, 'Settings').click();
        await expect(page).toHaveURL(/\/settings$/);
      }
    });

    test('those of a mailbox', async ({ page, isUsable, isFrenchToo }) => {
      test.slow();
      await signUp(page, { mailbox: true });
      await walk(page, { isUsable, isFrenchToo }, OF_MAILBOX);
    });

    test('those of an archive', async ({ page, isUsable, isFrenchToo }) => {
      await signUp(page, { mailbox: true, messages: 60 });
      const archived = await archiveAll(page);
      await archived();
      await walk(page, { isUsable, isFrenchToo }, OF_ARCHIVE);
    });

    test('those of an administrator', async ({ page, isUsable, isFrenchToo }) => {
      await signUp(page, { mailbox: true, messages: 20 });
      const archived = await archiveAll(page);
      await archived();
      await signInAsAdministrator(page);
      await walk(page, { isUsable, isFrenchToo }, OF_ADMINISTRATOR);
    });
  },
);
