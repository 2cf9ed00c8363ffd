import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aJob } from '../../test/a-job';
import { renderPart } from '../../test/render';
import { JobItem } from './JobItem';
import type { Job } from './job-cache';

const DONE = { status: 'completed', completed_at: '2026-01-01T00:01:00.000Z' } as const;
const NOT_UNDOABLE = {
  undoable: false,
  reason: 'not-undoable',
  until: null,
  messages: 0,
  calls: 0,
  undoneBy: null,
};

const pathsOf = (fetched: ReturnType<typeof vi.fn>): string[] =>
  (fetched.mock.calls as [Request][]).map(([{ method, url }]) => `${method} ${new URL(url).pathname}`);

describe('JobItem', () => {
  afterEach(() => vi.unstubAllGlobals());

  const answering = (...answers: Response[]): ReturnType<typeof vi.fn> => {
    const fetched = vi.fn((_request: Request) => Promise.resolve(answers.shift()!));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  };

  it('should show its progress and failures', () => {
    renderPart(<JobItem job={aJob({ failed: 3 })} />);
    expect(screen.getByText('Changing messages')).toBeInTheDocument();
    expect(screen.getByText('2,500 of 5,000')).toBeInTheDocument();
    expect(screen.getByText('3 failed')).toBeInTheDocument();
  });

  it.each([
    ['transfer-limit-reached', /^The provider’s daily limit is used up\. Continues by itself at /],
    ['provider-rate-limited', /^Waits until .*, then continues by itself\.$/],
  ])('should say until when it waits, and for what: %s', (waits_for, text) => {
    renderPart(
      <JobItem job={aJob({ status: 'pending', waits_for, waits_until: '2026-01-01T18:40:00.000Z' })} />,
    );
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it('should state that a trial run restored nothing', () => {
    renderPart(
      <JobItem
        job={aJob({
          ...DONE,
          queue_id: 'restore_mails-1',
          type: 'restore_mails',
          processed: 1,
          result: { restoreId: 'r', phase: 'plan', mails: 1 },
        })}
      />,
    );
    expect(screen.getByText('Trial run of a restore')).toBeInTheDocument();
    expect(screen.getByText('1 message can be restored. Nothing has been restored yet.')).toBeInTheDocument();
    expect(screen.queryByText(/done/)).not.toBeInTheDocument();
  });

  it('should state that messages were only checked', () => {
    renderPart(<JobItem job={aJob({ ...DONE, type: 'scan_tracking', processed: 600, result: {} })} />);
    expect(screen.getByText('600 looked at')).toBeInTheDocument();
  });

  it('should name the formats of an import and what it left out', () => {
    const result = {
      imported: 3,
      leftOut: { notMail: 27 },
      leftOutNames: { notMail: ['photos/cat.jpg', 'notes.txt'] },
      formats: { eml: 2, pst: 1 },
      failures: [],
    };
    renderPart(<JobItem job={aJob({ ...DONE, type: 'import_mbox', processed: 30, result })} />);
    expect(screen.getByText('Messages by format: 2 EML, 1 Outlook (PST, OST)')).toBeInTheDocument();
    expect(screen.getByText('27 files left out: they are no mail')).toBeInTheDocument();
    expect(screen.getByText('photos/cat.jpg')).toBeInTheDocument();
    expect(screen.getByText('and 25 more')).toBeInTheDocument();
  });

  it('should be cancelled once', async () => {
    const fetched = answering(new Response(null, { status: 204 }));
    renderPart(<JobItem job={aJob()} />);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: 'Stopping after this batch' })).toBeDisabled();
    const [request] = fetched.mock.calls[0] as [Request];
    expect([request.method, new URL(request.url).pathname]).toEqual(['DELETE', '/api/jobs/bulk_operation-1']);
  });

  it('should show why it failed, and be resumable', async () => {
    const started = Response.json({ jobId: 'bulk_operation-1', message: 'M.' }, { status: 202 });
    const fetched = answering(Response.json(NOT_UNDOABLE), started);
    const ended = {
      status: 'failed',
      error: 'The provider was away.',
      completed_at: '2026-01-01T00:01:00.000Z',
    };
    renderPart(<JobItem job={aJob(ended as Partial<Job>)} />);
    expect(screen.getByText('The provider was away.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(pathsOf(fetched)).toContain('POST /api/jobs/bulk_operation-1/resume'));
  });

  it('should show the result, explain why items failed, and retry those', async () => {
    const fetched = answering(
      Response.json(NOT_UNDOABLE),
      Response.json({ jobId: 'bulk_operation-2', message: 'M.' }, { status: 202 }),
    );
    const failures = Array.from({ length: 3 }, (_, item) => ({ item: `${item}`, reason: 'Not allowed.' }));
    const result = { action: 'trash', changed: 4_780, alreadyDone: 12, notFound: 0, refused: 3, failures };
    renderPart(<JobItem job={aJob({ ...DONE, failed: 3, result })} />);
    expect(screen.getByText('Move to the trash')).toBeInTheDocument();
    expect(
      screen.getByText('4,780 moved to the trash, 12 were there already, 3 refused by the mail provider'),
    ).toBeInTheDocument();
    expect(screen.getByText('3 × Not allowed.')).toBeInTheDocument();
    expect(await screen.findByText('This cannot be undone.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Try the failed ones again' }));
    await waitFor(() => expect(pathsOf(fetched)).toContain('POST /api/jobs/bulk_operation-1/retry-failed'));
  });

  it('should be undone once, after stating how many messages are affected and until when', async () => {
    const fetched = answering(
      Response.json({
        ...NOT_UNDOABLE,
        undoable: true,
        reason: null,
        messages: 4_780,
        until: '2026-02-01T00:00:00.000Z',
      }),
      Response.json({ jobId: 'undo_changes-2', message: 'M.' }, { status: 202 }),
      Response.json({ ...NOT_UNDOABLE, reason: 'already-undone' }),
    );
    renderPart(<JobItem job={aJob({ ...DONE, result: { action: 'trash', changed: 4_780 } })} />);
    expect(
      await screen.findByText(/^Can be undone until .+ for 4,780 messages\. Any that/),
    ).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The undo has started, as a separate job.')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
    expect(pathsOf(fetched)).toContain('POST /api/jobs/bulk_operation-1/undo');
  });

  it('should label the undo of an undo as redo', async () => {
    const undoable = {
      ...NOT_UNDOABLE,
      undoable: true,
      reason: null,
      messages: 2,
      until: '2026-02-01T00:00:00.000Z',
    };
    answering(Response.json(undoable));
    renderPart(<JobItem job={aJob({ ...DONE, type: 'undo_changes', result: { restored: 2 } })} />);
    expect(await screen.findByRole('button', { name: 'Do it again' })).toBeInTheDocument();
    expect(screen.getByText(/^Can be done again until .+ for 2 messages\./)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it.each([
    [
      { processed: 2_498, failed: 2 },
      'Cancelled after 2,500 of 5,000. 2,500 are left: resume the job to do them.',
    ],
    [{ processed: 0 }, 'Cancelled before anything was done. It can be resumed.'],
    [
      { type: 'run_rule', processed: 4_999 },
      'Cancelled after 4,999 of 5,000. 1 is left: start the job again to do it.',
    ],
    [{ processed: 5_000 }, 'Cancelled after 5,000 of 5,000.'],
    [{ type: 'import_mbox', processed: 7, total: 0 }, 'Cancelled after 7. It can be resumed.'],
    [{ status: 'failed', processed: 1_000 }, /^Stopped after 1,000 of 5,000\. 4,000 are left/],
  ] satisfies [Partial<Job>, string | RegExp][])('should show the progress of %j', async (changes, says) => {
    answering(Response.json(NOT_UNDOABLE));
    renderPart(<JobItem job={aJob({ ...DONE, status: 'cancelled', ...changes })} />);
    expect(screen.getByText(says)).toBeInTheDocument();
    expect(screen.queryByText(/done$/)).toBeNull();
  });

  it('should show what was done before it was cancelled, with both options', async () => {
    answering(
      Response.json({
        ...NOT_UNDOABLE,
        undoable: true,
        reason: null,
        messages: 990,
        until: '2026-02-01T00:00:00.000Z',
      }),
    );
    const result = { action: 'trash', changed: 990, alreadyDone: 10, notFound: 0, refused: 0 };
    renderPart(<JobItem job={aJob({ ...DONE, status: 'cancelled', processed: 1_000, result })} />);
    expect(screen.getByText('990 moved to the trash, 10 were there already')).toBeInTheDocument();
    expect(await screen.findByText(/^Can be undone until .+ for 990 messages/)).toBeInTheDocument();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Resume', 'Undo']);
  });

  it('should not offer to resume a job that must be started again', () => {
    renderPart(<JobItem job={aJob({ ...DONE, type: 'import_imap', status: 'failed' })} />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('should show an unknown kind as a job', () => {
    renderPart(<JobItem job={aJob({ type: 'something_new' })} />);
    expect(screen.getByText('Job')).toBeInTheDocument();
  });
});
