import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '../../../i18n/texts';
import { renderPart } from '../../../../test/render';
import { RemoveDialog, type RemoveAction } from './RemoveDialog';

describe('RemoveDialog', () => {
  afterEach(() => vi.unstubAllGlobals());

  const open = async (
    action: RemoveAction,
    capabilities: readonly string[],
    role = 'trash',
  ): Promise<void> => {
    await loadTexts('mailbox');
    await loadTexts('trash');
    const answers: Record<string, object> = {
      '/api/jobs': [],
      '/api/archiving/account': { mode: 'off' },
      '/api/auth/me': { mailboxAccounts: [{ id: 'account', provider: 'imap' }] },
      '/api/auth/mailbox/account/imap': { capabilities, folders: [{ path: 'Bin', role }], rolesFixed: false },
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) => Promise.resolve(Response.json(answers[new URL(url).pathname] ?? {}))),
    );
    renderPart(
      <RemoveDialog
        accountId="account"
        action={action}
        target={{ messageIds: ['a'] }}
        onClose={() => undefined}
        onStarted={() => undefined}
      />,
    );
  };

  it('should warn before messages are deleted permanently where the server moves them to its trash', async () => {
    await open('delete', ['IMAP4rev1', 'XMAGICTRASH']);
    expect(await screen.findByText(/^This server moves to its trash what is deleted/)).toBeInTheDocument();
  });

  it('should state that there is no folder for the trash yet', async () => {
    await open('trash', ['IMAP4rev1'], 'user');
    expect(await screen.findByText(/^This mailbox has no folder for the trash/)).toBeInTheDocument();
  });

  it.each<[RemoveAction, string]>([
    ['delete', 'IMAP4rev1'],
    ['trash', 'XMAGICTRASH'],
  ])('should not warn before %s on a server with %s', async (action, capability) => {
    await open(action, [capability]);
    await screen.findByRole('button', { name: /1 message/ });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByText(/moves to its trash/)).toBeNull();
  });
});
