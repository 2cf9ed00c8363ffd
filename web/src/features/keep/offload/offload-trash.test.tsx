import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { OffloadPlan } from './OffloadPlan';
import { OffloadSchedule } from './OffloadSchedule';

const PLAN = {
  ...{ id: 'plan', status: 'ready', mode: 'strict', digest: 'd', offloadable: 2, bytes: 10, blocked: 0 },
  ...{ oldest: null, newest: null, blockedBy: {}, minutes: null, encrypted: 0, sample: [], jobId: null },
  ...{ planJobId: null, spaceFreedAfterDays: 30 },
};
const SCHEDULE = { select: {}, graceDays: 365, maxPerNight: 1_000, isActive: false, updatedAt: '2026-01-01' };
const MISSING = /^This mailbox has no folder for the trash/;

describe('moving out of a mailbox', () => {
  /** Paths of requests. */
  const asked: string[] = [];

  afterEach(() => {
    vi.unstubAllGlobals();
    asked.length = 0;
  });

  /** @param role of the only folder that may be the trash */
  const serve = (role: 'trash' | 'user'): void => {
    const answers: Record<string, object> = {
      '/api/offload/account/plans/plan': PLAN,
      '/api/offload/account/plans/plan/messages': { items: [], next: null },
      '/api/offload/account/schedule': SCHEDULE,
      '/api/jobs': [],
      '/api/auth/me': { mailboxAccounts: [{ id: 'account', provider: 'imap' }] },
      '/api/auth/mailbox/account/imap': {
        capabilities: ['IMAP4rev1'],
        folders: [{ path: 'Bin', role }],
        rolesFixed: false,
      },
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) => {
        const { pathname } = new URL(url);
        asked.push(pathname);
        return Promise.resolve(Response.json(answers[pathname] ?? {}));
      }),
    );
  };
  const askAboutPlan = async (): Promise<void> => {
    renderPart(<OffloadPlan accountId="account" planId="plan" onClose={() => undefined} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Move 2 messages to the trash' }));
    await screen.findByRole('dialog');
  };
  const switchOnSchedule = async (): Promise<void> => {
    renderPart(<OffloadSchedule accountId="account" />);
    await userEvent.click(screen.getByRole('button', { name: 'Show the schedule' }));
    const on = await screen.findByRole('switch', { name: 'Every night' });
    expect(screen.queryByText(MISSING)).toBeNull();
    await userEvent.click(on);
  };

  it.each([
    ['once', askAboutPlan],
    ['every night', switchOnSchedule],
  ])('should state that there is no folder for the trash yet: %s', async (_when, ask) => {
    serve('user');
    await ask();
    expect(await screen.findByText(MISSING)).toBeInTheDocument();
  });

  it.each([
    ['once', askAboutPlan],
    ['every night', switchOnSchedule],
  ])('should not mention it where there is one: %s', async (_when, ask) => {
    serve('trash');
    await ask();
    await vi.waitFor(() => expect(asked).toContain('/api/auth/mailbox/account/imap'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByText(MISSING)).toBeNull();
  });

  it.each([
    ['once', askAboutPlan],
    ['every night', switchOnSchedule],
  ])('should warn that some servers empty the trash early: %s', async (_when, ask) => {
    serve('trash');
    await ask();
    expect(
      screen.getByText(/unless the trash is emptied sooner: some mail servers do so after 7 days/),
    ).toBeVisible();
  });
});
