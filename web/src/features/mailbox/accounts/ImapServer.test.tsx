import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '../../../i18n/texts';
import { renderPart } from '../../../../test/render';
import { ImapServer } from './ImapServer';

describe('ImapServer', () => {
  afterEach(() => vi.unstubAllGlobals());

  const open = async (capabilities: readonly string[], rolesFixed = false): Promise<void> => {
    const server = { host: 'imap.example.org', port: 993, security: 'tls', username: 'a' };
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(Response.json({ server, capabilities, folders: [], rolesFixed }))),
    );
    await loadTexts('mailboxes');
    renderPart(<ImapServer accountId="a" email="a@example.org" />);
    await userEvent.click(screen.getByRole('button', { name: 'Server and folders: a@example.org' }));
    await screen.findByText(/^The server offers/);
  };

  it('should state that the server decides when its trash is emptied', async () => {
    await open(['IMAP4rev1']);
    expect(screen.getByText(/some do after 7 days/)).toBeInTheDocument();
    expect(screen.queryByText(/moves to its trash/)).toBeNull();
  });

  it('should state that the server moves removed messages to its trash', async () => {
    await open(['IMAP4rev1', 'XMAGICTRASH']);
    expect(screen.getByText(/^This server moves to its trash/)).toBeInTheDocument();
  });

  it('should not mention the trash of Gmail', async () => {
    await open(['IMAP4rev1'], true);
    expect(screen.queryByText(/7 days/)).toBeNull();
  });
});
