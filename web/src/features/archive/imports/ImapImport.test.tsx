import type { Schemas } from '@mailroom/sdk';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aJob } from '../../../../test/a-job';
import { renderPart } from '../../../../test/render';
import { setLanguage } from '../../../i18n';
import { loadTexts } from '../../../i18n/texts';
import { ImapImport } from './ImapImport';

const forecastOf = (
  changes: Partial<Schemas['TransferForecastResponse']>,
): Schemas['TransferForecastResponse'] => ({
  provider: null,
  messages: null,
  bytes: null,
  approximate: false,
  bytesPerDay: null,
  jobBytesPerDay: null,
  completesOn: null,
  cutFolders: [],
  ...changes,
});

const OF_GMAIL = forecastOf({
  provider: 'Gmail',
  messages: 412_000,
  bytes: 38 * 1024 ** 3,
  approximate: true,
  bytesPerDay: 2_500_000_000,
  jobBytesPerDay: 2_500_000_000,
  completesOn: '2026-12-17',
});

/** A service that answers forecasts in this way; returns the paths of what is sent to it. */
function serveForecast(forecast: () => Response): string[] {
  const posted: string[] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn(({ url, method }: Request) => {
      if (method === 'POST') posted.push(new URL(url).pathname.replace(/^.*\/import\/account/, ''));
      if (url.endsWith('/forecast')) return Promise.resolve(forecast());
      if (method === 'POST') return Promise.resolve(Response.json({ jobId: 'j' }, { status: 202 }));
      const job = aJob({ queue_id: 'j', type: 'import_imap', status: 'active' });
      return Promise.resolve(Response.json(url.includes('/jobs/') ? job : [job]));
    }),
  );
  return posted;
}

/** Fills in the form. */
async function fillIn(): Promise<void> {
  renderPart(<ImapImport account={{ id: 'account', email: 'a@x.test' }} />);
  await userEvent.type(screen.getByLabelText(/^Server/), 'imap.x.test');
  await userEvent.type(screen.getByLabelText(/^User name/), 'a');
  await userEvent.type(screen.getByLabelText(/^Password/), 'b');
}

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));

describe('ImapImport', () => {
  beforeEach(() => Promise.all((['imapImport', 'forecast', 'jobFailures'] as const).map(loadTexts)));
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
        if (url.endsWith('/forecast')) return Promise.resolve(Response.json(forecastOf({})));
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

  it('should say the day of completion before the import is started', async () => {
    const posted = serveForecast(() => Response.json(OF_GMAIL));
    await fillIn();
    await press('Import the folder');
    const text = (await screen.findByRole('note')).textContent;
    expect(text).toContain('Gmail lets mail programs read 2,500 MB a day');
    expect(text).toMatch(/The 412,000 messages, about 38 GB, will be here on .*2026 at the earliest/);
    expect(posted).toEqual(['/imap/forecast']);
    await press('Start the import');
    expect(await screen.findByText(/^The import has been started/)).toBeVisible();
    expect(posted).toEqual(['/imap/forecast', '/imap']);
  });

  it('should ask again when something else is to be imported', async () => {
    const posted = serveForecast(() => Response.json(OF_GMAIL));
    await fillIn();
    await press('Import the folder');
    await screen.findByRole('note');
    await userEvent.type(screen.getByLabelText(/^Newest messages only/), '5');
    expect(screen.queryByRole('note')).not.toBeInTheDocument();
    await press('Import the folder');
    expect(await screen.findByRole('note')).toBeVisible();
    expect(posted).toEqual(['/imap/forecast', '/imap/forecast']);
  });

  it('should start at once where no limit matters', async () => {
    const posted = serveForecast(() => Response.json(forecastOf({})));
    await fillIn();
    await press('Import the folder');
    expect(await screen.findByText(/^The import has been started/)).toBeVisible();
    expect(posted).toEqual(['/imap/forecast', '/imap']);
  });

  it('should say at its field what the server refuses, and start nothing', async () => {
    const posted = serveForecast(() =>
      Response.json(
        { code: 'imap-login-failed', detail: 'Refused.', errors: [{ field: 'pass', message: 'Refused.' }] },
        { status: 400 },
      ),
    );
    await fillIn();
    await press('Import the folder');
    expect(await screen.findByText(/^imap\.x\.test refuses the user name or the password/)).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(posted).toEqual(['/imap/forecast']);
  });

  it('should leave a server that is not available to the job, which waits for it', async () => {
    const posted = serveForecast(() =>
      Response.json({ code: 'imap-throttled', detail: 'Later.' }, { status: 503 }),
    );
    await fillIn();
    await press('Import the folder');
    expect(await screen.findByText(/^The import has been started/)).toBeVisible();
    expect(posted).toEqual(['/imap/forecast', '/imap']);
  });
});
