import { Notifications, notifications } from '@mantine/notifications';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { showStarted, showToast } from './job-toast';

const STARTED = 'In progress: Jobs, at the top, shows how far it is.';

describe('toasts of a job', () => {
  afterEach(() => {
    notifications.clean();
    vi.unstubAllGlobals();
  });

  const setup = (): void => {
    // Other tests of the same window have said things as well.
    notifications.clean();
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])));
    const root = createRootRoute({
      component: () => <Notifications autoClose={false} transitionDuration={0} />,
    });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };
  const end = (jobId: string, type: 'job_completed' | 'job_failed' = 'job_completed'): Promise<void> =>
    act(() =>
      showToast({
        id: `event-of-${jobId}`,
        type,
        title: 'Archiving completed',
        body: '2 messages are in the archive.',
        data: { jobId },
        created_at: '2026-01-01T00:00:00.000Z',
        notification_id: null,
      }),
    );

  it.each(['job_completed', 'job_failed'] as const)(
    'should not announce that a job is running beside its end: %s',
    async (type) => {
      setup();
      act(() => showStarted(`archive_mails-${type}`, STARTED));
      expect(await screen.findByText(STARTED)).toBeInTheDocument();
      await end(`archive_mails-${type}`, type);
      expect(await screen.findByText('2 messages are in the archive.')).toBeInTheDocument();
      await waitFor(() => expect(screen.queryByText(STARTED)).toBeNull());
    },
  );

  it('should not announce that a job was started when its end was already shown', async () => {
    setup();
    await end('archive_mails-quick');
    act(() => showStarted('archive_mails-quick', STARTED));
    expect(await screen.findByText('2 messages are in the archive.')).toBeInTheDocument();
    expect(screen.queryByText(STARTED)).toBeNull();
  });

  it('should lead to the page that shows what was done', async () => {
    setup();
    await end('archive_mails-linked');
    expect(await screen.findByRole('link', { name: 'Archiving completed' })).toHaveAttribute('href', '/jobs');
  });

  it('should not affect toasts of other jobs', async () => {
    setup();
    act(() => showStarted('archive_mails-other', STARTED));
    await end('archive_mails-one');
    expect(await screen.findByText('2 messages are in the archive.')).toBeInTheDocument();
    expect(screen.getByText(STARTED)).toBeInTheDocument();
  });
});
