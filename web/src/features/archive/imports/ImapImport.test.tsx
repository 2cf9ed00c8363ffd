import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aJob } from '../../../../test/a-job';
import { renderPart } from '../../../../test/render';
import { setLanguage } from '../../../i18n';
import { loadTexts } from '../../../i18n/texts';
import { ImapImport } from './ImapImport';

describe('ImapImport', () => {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await setLanguage('en');
  });

  it('should explain in French why an import has stopped', async () => {
    await setLanguage('fr');
    await Promise.all((['imapImport', 'jobFailures'] as const).map(loadTexts));
    const failed = aJob({
      queue_id: 'j',
      type: 'import_imap',
      status: 'failed',
      error: 'The mailbox has been removed.',
      error_code: 'mailbox-account-gone',
    });
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url, method }: Request) => {
        if (method === 'POST') return Promise.resolve(Response.json({ jobId: 'j' }, { status: 202 }));
        return Promise.resolve(Response.json(url.includes('/jobs/') ? failed : [failed]));
      }),
    );
    renderPart(<ImapImport account={{ id: 'account', email: 'a@x.test' }} />);
    await userEvent.type(screen.getByLabelText(/^Serveur/), 'imap.x.test');
    await userEvent.type(screen.getByLabelText(/^Nom d’utilisateur/), 'a');
    await userEvent.type(screen.getByLabelText(/^Mot de passe/), 'b');
    await userEvent.click(screen.getByRole('button', { name: /^Importer/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('La boîte a été retirée.');
  });
});
