import { MailroomError } from '@mailroom/sdk';
import { act, screen } from '@testing-library/react';
import { useEffect, useReducer, type ReactNode } from 'react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { ProblemView } from './ProblemView';

const problem = (status: number, code: string, headers: Record<string, string> = {}): MailroomError =>
  new MailroomError('GET /api/x', new Response(null, { status, headers }), {
    code,
    detail: 'What the service says.',
    requestId: 'request-1',
  });

describe('ProblemView', () => {
  afterEach(() => vi.useRealTimers());

  it('should describe the problem, and show no codes for expected ones', () => {
    renderPart(<ProblemView error={problem(404, 'message-not-found')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('This message is no longer there.');
    expect(screen.queryByText(/request-1/)).not.toBeInTheDocument();
  });

  it('should have the code and the request id of an internal error in its details', async () => {
    renderPart(<ProblemView error={problem(500, 'internal-error')} />);
    const reference = screen.getByText('Code internal-error · Request request-1');
    expect(reference).not.toBeVisible();
    await userEvent.click(screen.getByText('Details'));
    expect(reference).toBeVisible();
  });

  it('should quote the service for a code that has no text', () => {
    renderPart(<ProblemView error={problem(409, 'something-new')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('What the service says.');
  });

  it('should name the term of a search that cannot be read', () => {
    const refused = new MailroomError('GET /api/x', new Response(null, { status: 400 }), {
      code: 'search-term-unsupported',
      detail: 'This mailbox cannot search for "newer_than:2w".',
    });
    renderPart(<ProblemView error={refused} />);
    expect(screen.getByRole('alert')).toHaveTextContent('“newer_than:2w” cannot be searched for');
  });

  it('should distinguish a lost connection from a refusal and from an internal error', () => {
    const { unmount } = renderPart(<ProblemView error={new TypeError('Failed to fetch')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('The service cannot be reached.');
    unmount();
    renderPart(<ProblemView error={new TypeError('x is not a function')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('This page made a mistake.');
  });

  it('should count down, and retry once at the end', () => {
    vi.useFakeTimers();
    const onRetry = vi.fn();
    renderPart(
      <ProblemView error={problem(503, 'provider-rate-limited', { 'retry-after': '2' })} onRetry={onRetry} />,
    );
    expect(screen.getByText('Trying again in 2 sec.')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(1_000));
    expect(screen.getByText('Trying again in 1 sec.')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(1_000));
    expect(onRetry).toHaveBeenCalledTimes(1);
    act(() => void vi.advanceTimersByTime(10_000));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it('should keep counting down while the page is rendered again', () => {
    vi.useFakeTimers();
    const onRetry = vi.fn();
    const error = problem(429, 'too-many-requests', { 'retry-after': '2' });
    function Busy(): ReactNode {
      const [, draw] = useReducer((times: number) => times + 1, 0);
      useEffect(() => {
        const timer = setInterval(draw, 600);
        return () => clearInterval(timer);
      }, []);
      return <ProblemView error={error} onRetry={() => void onRetry()} />;
    }
    renderPart(<Busy />);
    for (let step = 0; step < 5; step += 1) act(() => void vi.advanceTimersByTime(600));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });
});
