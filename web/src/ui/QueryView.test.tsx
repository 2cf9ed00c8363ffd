import { MailroomError } from '@mailroom/sdk';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { QueryView } from './QueryView';
import { WaysOutContext } from './ways-out';

const place = vi.hoisted(() => ({ accountId: undefined as string | undefined }));
vi.mock('@tanstack/react-router', () => ({ useRouterState: () => place.accountId }));

function Names({ read }: { readonly read: () => Promise<string[]> }): ReactNode {
  const names = useQuery({ queryKey: ['names'], queryFn: read });
  return (
    <QueryView query={names} empty={{ when: (list) => list.length === 0, show: 'Nobody yet' }}>
      {(list) => list.join(', ')}
    </QueryView>
  );
}

describe('QueryView', () => {
  it('should show the result', async () => {
    renderPart(<Names read={() => Promise.resolve(['Ada', 'Grace'])} />);
    expect(await screen.findByText('Ada, Grace')).toBeInTheDocument();
  });

  it('should show that it is loading, after a moment', async () => {
    renderPart(<Names read={() => new Promise(() => undefined)} />);
    expect(screen.queryByRole('status')).toBeNull();
    expect(await screen.findByRole('status')).toHaveTextContent('Loading');
  });

  it('should explain what to do when there is no result', async () => {
    renderPart(<Names read={() => Promise.resolve([])} />);
    expect(await screen.findByText('Nobody yet')).toBeInTheDocument();
  });

  it('should show a problem, and the result after a retry', async () => {
    const read = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(['Ada']);
    renderPart(<Names read={read} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('The service cannot be reached.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Ada')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('should offer help for a problem of the page’s mailbox', async () => {
    place.accountId = 'a-mailbox';
    onTestFinished(() => void (place.accountId = undefined));
    const refusal = new MailroomError('GET /api/x', new Response(null, { status: 409 }), {
      code: 'mailbox-reauth-required',
      detail: 'no',
      errors: [],
    });
    renderPart(
      <WaysOutContext value={{ 'mailbox-reauth-required': ({ accountId }) => `Reconnect ${accountId}` }}>
        <Names read={() => Promise.reject(refusal)} />
      </WaysOutContext>,
    );
    expect(await screen.findByText('Reconnect a-mailbox')).toBeInTheDocument();
  });
});
