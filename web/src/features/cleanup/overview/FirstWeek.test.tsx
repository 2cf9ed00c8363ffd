import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import type { MailboxAccount } from '../../../api/me';
import { loadTexts } from '../../../i18n/texts';
import { FirstWeek } from './FirstWeek';

const ACCOUNT = { id: 'account', provider: 'gmail', email: 'ada@mail.test' } as MailboxAccount;

interface Person {
  readonly role?: 'admin' | 'user';
  readonly totp_enabled?: boolean;
  readonly mode?: 'off' | 'keep';
  readonly passkeys?: readonly object[];
}

describe('FirstWeek', () => {
  beforeAll(() => loadTexts('home'));
  beforeEach(() => localStorage.clear());
  afterEach(() => vi.unstubAllGlobals());

  const show = (person: Person, account: MailboxAccount | null = ACCOUNT): void => {
    const { role = 'user', totp_enabled = false, mode = 'off', passkeys = [] } = person;
    const answers: Record<string, object> = {
      me: { user: { id: 'ada', role, totp_enabled, has_password: true }, mailboxAccounts: [] },
      config: { passkeys: true },
      archiving: { mode },
      passkeys,
    };
    vi.stubGlobal('fetch', ({ url }: Request) => {
      const parts = new URL(url).pathname.split('/');
      return Promise.resolve(
        Response.json(Object.entries(answers).find(([part]) => parts.includes(part))?.[1]),
      );
    });
    const root = createRootRoute({
      component: () => (
        <Suspense>
          <FirstWeek account={account ?? undefined} after={<p>What next</p>} />
        </Suspense>
      ),
    });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };
  const states = async (): Promise<(string | null)[]> => {
    await screen.findByRole('region', { name: 'Your first week' });
    return screen.getAllByRole('img').map((mark) => mark.getAttribute('aria-label'));
  };

  it('should tick what is done, and count what is not', async () => {
    show({ mode: 'keep' });
    expect(await screen.findByText('1 thing to do')).toBeInTheDocument();
    expect(await states()).toEqual(['Done', 'Done', 'To do']);
    const link = screen.getByRole('link', { name: 'Protect your sign-in' });
    expect(link).toHaveAttribute('href', '/settings/security');
  });

  it.each([[{ totp_enabled: true }], [{ passkeys: [{ id: 'key' }] }]])(
    'should take codes and passkeys as a second factor: %o',
    async (person) => {
      show(person);
      expect(await screen.findByText('1 thing to do')).toBeInTheDocument();
      expect(await states()).toEqual(['Done', 'To do', 'Done']);
    },
  );

  it('should have administrators tick their backups, and be over when all is done', async () => {
    show({ role: 'admin', totp_enabled: true, mode: 'keep' });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Backups are set up' }));
    expect(screen.getByText('What next')).toBeInTheDocument();
  });

  it('should be taken away on request, for good', async () => {
    show({});
    await userEvent.click(await screen.findByRole('button', { name: 'Hide this list' }));
    expect(screen.getByText('What next')).toBeInTheDocument();
    expect(localStorage.getItem('mailroom-home-ada')).toContain('hidden');
  });

  it('should stay for those without a mailbox, who have nothing to keep yet', async () => {
    show({}, null);
    expect(await screen.findByText('3 things to do')).toBeInTheDocument();
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Connect a mailbox, or import mail',
      'Protect your sign-in',
    ]);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
