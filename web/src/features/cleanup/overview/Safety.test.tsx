import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import type { MailboxAccount } from '../../../api/me';
import { loadTexts } from '../../../i18n/texts';
import { Safety } from './Safety';

const ARCHIVING = { mode: 'keep', state: 'healthy', reason: null, verifyDays: 7 };
const COVERAGE = {
  total: 12_800,
  verified: 12_480,
  archived: 0,
  pending: 16,
  excluded: 304,
  failed: 0,
  exact: true,
};

describe('Safety', () => {
  beforeAll(() => loadTexts('home'));
  afterEach(() => vi.unstubAllGlobals());

  const show = (answers: {
    readonly archiving?: object;
    readonly coverage?: object;
    readonly integrity?: object;
  }): void => {
    const all: Record<string, object> = {
      archiving: { ...ARCHIVING, ...answers.archiving },
      coverage: { ...COVERAGE, ...answers.coverage },
      integrity: { total: 12_480, checkedThisWeek: 12_480, damagedCount: 0, ...answers.integrity },
    };
    vi.stubGlobal('fetch', ({ url }: Request) => {
      const parts = new URL(url).pathname.split('/');
      return Promise.resolve(Response.json(Object.entries(all).find(([part]) => parts.includes(part))?.[1]));
    });
    const account = { id: 'account', provider: 'gmail' } as MailboxAccount;
    const root = createRootRoute({ component: () => <Safety account={account} /> });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };

  it('should say in one sentence how many messages are in the archive, and since when that is proved', async () => {
    show({});
    expect(
      await screen.findByText('12,480 of 12,496 messages are in the archive, proved this week.'),
    ).toBeInTheDocument();
  });

  it('should lead to the messages that are not in the archive, and to those that are left out', async () => {
    show({});
    const waiting = await screen.findByRole('link', { name: '16 wait to be copied' });
    expect(waiting).toHaveAttribute('href', '/a/account/keep?part=pending');
    const leftOut = screen.getByRole('link', { name: '304 more are left out by your settings' });
    expect(leftOut).toHaveAttribute('href', '/a/account/keep?part=excluded');
  });

  it('should not call a copy proved that was not checked', async () => {
    show({ archiving: { verifyDays: 30 }, coverage: { verified: 12_000, archived: 480 } });
    const text =
      '12,480 of 12,496 messages are in the archive; 12,000 of them were proved in the last 30 days.';
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('should not alarm while a mailbox is copied for the first time', async () => {
    show({ archiving: { state: 'behind', reason: 'first-fill' }, coverage: { verified: 0, archived: 500 } });
    expect(
      await screen.findByText('Your mail is being copied: 500 of 12,496 messages so far.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/^Archiving is behind/)).toBeNull();
  });

  it('should say that mail is only in the mailbox when nothing was copied, and lead to the switch', async () => {
    show({ archiving: { mode: 'off', state: 'off' }, integrity: { total: 0, checkedThisWeek: 0 } });
    expect(await screen.findByText(/^Your mail is only in the mailbox/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Keep everything' })).toHaveAttribute('href', '/a/account/keep');
  });

  it('should name damaged copies', async () => {
    show({ integrity: { damagedCount: 2 } });
    expect(await screen.findByRole('link', { name: '2 copies are damaged' })).toBeInTheDocument();
  });
});
