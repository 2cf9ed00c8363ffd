import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { Figures } from './Figures';

describe('Figures', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('should state that only unread messages of the inbox are counted', async () => {
    const answers: Record<string, object> = {
      profile: { messagesTotal: 2_001, threadsTotal: 1_900, emailAddress: 'me@mail.test' },
      labels: [
        { id: 'INBOX', messagesTotal: 648, messagesUnread: 77 },
        { id: 'UNREAD', messagesTotal: 207, messagesUnread: 207 },
      ],
      stats: { total_mails: 1_500 },
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) => Promise.resolve(Response.json(answers[url.split('/').at(-1)!] ?? {}))),
    );
    renderPart(<Figures accountId="account" />);
    const unread = await screen.findByText('Unread in the inbox');
    expect(await screen.findByText('77')).toBeInTheDocument();
    expect(unread.parentElement).toHaveTextContent(/^Unread in the inbox77$/);
    expect(screen.queryByText('207')).toBeNull();
  });
});
