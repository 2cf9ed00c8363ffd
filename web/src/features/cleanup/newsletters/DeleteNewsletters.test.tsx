import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '../../../i18n/texts';
import { renderPart } from '../../../../test/render';
import { DeleteNewsletters } from './DeleteNewsletters';
import type { Newsletter } from './newsletter';

describe('a server that moves deleted messages to its trash', () => {
  afterEach(() => vi.unstubAllGlobals());

  const serve = async (): Promise<void> => {
    await Promise.all((['newsletters', 'trash'] as const).map(loadTexts));
    const account = { capabilities: ['XMAGICTRASH'], folders: [], rolesFixed: false };
    const answers: Record<string, object> = {
      '/api/auth/me': { mailboxAccounts: [{ id: 'account', provider: 'imap' }] },
      '/api/auth/mailbox/account/imap': account,
    };
    const figures = { count: 3, unmarkedCount: 3, estimatedCount: 3, starredCount: 0, importantCount: 0 };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) =>
        Promise.resolve(Response.json(answers[new URL(url).pathname] ?? { ...figures, messages: [] })),
      ),
    );
  };
  const warning = /^This server moves to its trash what is deleted/;

  it('should be mentioned before newsletters are deleted permanently', async () => {
    await serve();
    const newsletter = { email: 'a@x.test', sender: 'A <a@x.test>', count: 3 } as Newsletter;
    renderPart(
      <DeleteNewsletters
        accountId="account"
        newsletter={newsletter}
        action="delete"
        onClose={() => undefined}
      />,
    );
    expect(await screen.findByText(warning)).toBeInTheDocument();
  });
});
