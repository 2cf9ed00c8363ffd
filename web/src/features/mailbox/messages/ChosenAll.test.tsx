import { screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { ChosenAll } from './ChosenAll';
import type { FrozenSelection } from './use-frozen';

const aSelection = (changes: Partial<FrozenSelection> = {}): FrozenSelection => ({
  id: 'whole',
  query: 'older_than:1y',
  count: 4_812,
  unreadCount: 380,
  starredCount: 20,
  importantCount: 12,
  leftOutStarredCount: 0,
  leftOutImportantCount: 0,
  sizeBytes: 2_040_109_465,
  oldest: '2019-03-02T08:11:00.000Z',
  newest: '2024-11-20T17:45:12.000Z',
  expires_at: '2026-01-01T00:15:00.000Z',
  ...changes,
});

const REST = aSelection({
  id: 'rest',
  count: 4_780,
  starredCount: 0,
  importantCount: 0,
  leftOutStarredCount: 20,
  leftOutImportantCount: 12,
});

const problem = (code: string): Response =>
  Response.json(
    { type: 'about:blank', title: 'Conflict', status: 409, code, detail: 'D.' },
    {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
    },
  );

const aJob = (changes: object = {}) => ({
  id: 'j',
  queue_id: 'archive_mails-1',
  type: 'archive_mails',
  status: 'completed',
  progress: 100,
  total: 4_780,
  processed: 4_780,
  failed: 0,
  mailbox_account_id: 'account',
  result: { archived: 4_780, skipped: 0, failed: 0 },
  error: null,
  error_code: null,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: '2026-01-01T00:01:00.000Z',
  payload: {},
  payload_truncated: false,
  payload_removed: false,
  ...changes,
});

describe('all messages that match', () => {
  const asked: { readonly path: string; readonly body: unknown }[] = [];
  const answers = {
    selections: [] as FrozenSelection[],
    rest: [] as FrozenSelection[],
    changes: [] as Response[],
  };
  let jobs: object[] = [];

  const answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/labels')) return Response.json([]);
    if (path === '/api/jobs') return Response.json(jobs);
    const body = (await request.json()) as { leaveOut?: string[] };
    asked.push({ path, body });
    if (!path.endsWith('/selections'))
      return (
        answers.changes.shift() ?? Response.json({ jobId: 'archive_mails-1', message: 'M.' }, { status: 202 })
      );
    const of = body.leaveOut?.length ? answers.rest : answers.selections;
    return Response.json(of.length > 1 ? of.shift() : of[0], { status: 201 });
  };

  beforeEach(() => {
    asked.length = 0;
    answers.selections = [aSelection()];
    answers.rest = [REST];
    answers.changes = [];
    jobs = [];
    vi.stubGlobal('fetch', vi.fn(answer));
  });
  afterEach(() => vi.unstubAllGlobals());

  const setup = () => {
    const onStarted = vi.fn();
    renderPart(
      <ChosenAll accountId="account" query="older_than:1y" onNone={() => undefined} onStarted={onStarted} />,
    );
    return onStarted;
  };
  const press = async (name: string | RegExp): Promise<void> =>
    userEvent.click(await screen.findByRole('button', { name }));
  const changes = () => asked.filter(({ path }) => !path.endsWith('/selections')).map(({ body }) => body);

  it('should be described, and exactly these be changed', async () => {
    const onStarted = setup();
    expect(await screen.findByText('4,812 chosen')).toBeInTheDocument();
    for (const figure of ['1.9 GB', '380 unread', '20 starred', '12 important'])
      expect(screen.getByText(new RegExp(`· ${figure}`))).toBeInTheDocument();
    await press('Mark as read');
    await waitFor(() => expect(onStarted).toHaveBeenCalledTimes(1));
    expect(changes()).toEqual([{ action: 'mark_read', selectionId: 'whole', confirmedCount: 4_812 }]);
  });

  it('should exclude starred or important ones before they go to the trash, unless requested', async () => {
    const onStarted = setup();
    await press('Trash');
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('button', { name: 'Trash 4,780 messages' })).toBeEnabled();
    expect(dialog.getByText(/· 20 starred left out/)).toBeInTheDocument();
    await userEvent.click(dialog.getByLabelText('Leave out starred and important messages'));
    expect(await dialog.findByRole('button', { name: 'Trash 4,812 messages' })).toBeEnabled();
    await userEvent.click(dialog.getByLabelText('Leave out starred and important messages'));
    await userEvent.click(await dialog.findByRole('button', { name: 'Trash 4,780 messages' }));
    await waitFor(() => expect(onStarted).toHaveBeenCalledTimes(1));
    expect(changes()).toEqual([{ action: 'trash', selectionId: 'rest', confirmedCount: 4_780 }]);
  });

  it.each([
    ['selection-expired', 'What is chosen is kept for 15 minutes'],
    ['count-mismatch', 'The number was not right any more'],
  ])('should be counted again after %s, and confirmed again', async (code, why) => {
    answers.rest = [REST, { ...REST, id: 'later', count: 4_790 }];
    answers.changes = [problem(code)];
    const onStarted = setup();
    await press('Trash');
    await press('Trash 4,780 messages');
    const again = await screen.findByRole('button', { name: 'Trash 4,790 messages' });
    expect(screen.getByText(new RegExp(why))).toHaveTextContent('It is 4,790 now, and was 4,780.');
    expect(onStarted).not.toHaveBeenCalled();
    await userEvent.click(again);
    await waitFor(() => expect(onStarted).toHaveBeenCalledTimes(1));
    expect(changes().at(-1)).toEqual({ action: 'trash', selectionId: 'later', confirmedCount: 4_790 });
  });

  it('should be deleted permanently only with the number typed, and not while they are being archived', async () => {
    jobs = [aJob({ status: 'active', progress: 40, completed_at: null, result: null })];
    setup();
    await press('Delete');
    const dialog = within(await screen.findByRole('dialog'));
    const destroy = await dialog.findByRole('button', { name: 'Delete 4,780 messages' });
    await userEvent.type(await dialog.findByLabelText('Type 4780 to delete'), '478');
    expect(destroy).toBeDisabled();
    await userEvent.type(dialog.getByLabelText('Type 4780 to delete'), '0');
    expect(destroy).toBeEnabled();
    await userEvent.click(dialog.getByRole('button', { name: 'Save to archive first' }));
    expect(await dialog.findByRole('progressbar')).toBeInTheDocument();
    expect(destroy).toBeDisabled();
    expect(changes()).toEqual([{ selectionId: 'rest', confirmedCount: 4_780 }]);
  });

  it('should be checked for missing copies in the archive before they are deleted', async () => {
    jobs = [aJob({ failed: 3, processed: 4_777, result: { archived: 4_777, skipped: 0, failed: 3 } })];
    setup();
    await press('Delete');
    await press('Save to archive first');
    expect(await screen.findByText('4,777 saved to the archive, 3 could not be saved')).toBeInTheDocument();
    expect(screen.getByText(/would be lost/)).toBeInTheDocument();
  });
});
