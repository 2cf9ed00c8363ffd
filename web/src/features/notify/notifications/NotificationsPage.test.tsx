import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { setLanguage } from '../../../i18n';
import { loadTexts } from '../../../i18n/texts';
import { NotificationsPage } from './NotificationsPage';

describe('NotificationsPage', () => {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await setLanguage('en');
  });

  it('should report in French that a job has failed, why, and its progress', async () => {
    await setLanguage('fr');
    await Promise.all((['notifications', 'notices', 'jobFailures'] as const).map(loadTexts));
    const failed = {
      id: 'n',
      type: 'job_failed',
      title: 'Restore failed',
      body: 'The plan was deleted.',
      is_read: false,
      created_at: '2026-01-02T03:04:05Z',
      data: {
        type: 'restore_mails',
        total: 9,
        processed: 2,
        error: 'The plan was deleted.',
        errorCode: 'plan-gone',
      },
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) =>
        Promise.resolve(Response.json(url.includes('preferences') ? {} : { notifications: [failed] })),
      ),
    );
    const root = createRootRoute({ component: NotificationsPage });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
    const title = await screen.findByText('Restauration : échec');
    const item = within(title.closest('li')!);
    expect(title).toHaveAttribute('href', '/jobs?status=failed');
    expect(item.getByText('Le plan a été supprimé. 2 messages sur 9 ont été traités.')).toBeInTheDocument();
    expect(item.getByRole('button', { name: 'Supprimer\u00a0: Restauration\u00a0: échec' })).toBeVisible();
  });
});
