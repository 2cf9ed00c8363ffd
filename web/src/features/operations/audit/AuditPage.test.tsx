import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { AuditPage } from './AuditPage';

const ME = {
  user: { id: 'me', email: 'ada@example.org' },
  mailboxAccounts: [
    { id: 'box', email: 'ada@gmail.com' },
    { id: 'other', email: 'ada@work.example' },
  ],
};
const ENTRY = {
  id: 'entry',
  occurred_at: '2026-01-02T03:04:05Z',
  action: 'messages.bulk-completed',
  outcome: 'success',
  actor_kind: 'user',
  actor_id: 'me',
  api_key_id: null,
  user_id: 'me',
  mailbox_account_id: 'box',
  target_type: null,
  target_id: null,
  address: '203.0.113.7',
  request_id: null,
  job_id: 'bulk_operation-7',
  details: { action: 'trash', changed: 385, refused: 2 },
};
const REFUSED = {
  ...ENTRY,
  id: 'refused',
  action: 'session.refused',
  outcome: 'failure',
  actor_kind: 'anonymous',
  actor_id: null,
  mailbox_account_id: null,
  details: { method: 'password', code: 'invalid-credentials' },
};

describe('AuditPage', () => {
  const asked: URL[] = [];
  beforeEach(() => {
    asked.length = 0;
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) => {
        const address = new URL(url);
        if (address.pathname !== '/api/audit') return Promise.resolve(Response.json(ME));
        asked.push(address);
        const entries = address.searchParams.has('to') ? [] : [ENTRY, REFUSED];
        return Promise.resolve(Response.json({ entries, total: entries.length, page: 1, limit: 50 }));
      }),
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  const open = async (): Promise<void> => {
    renderPart(
      <Suspense>
        <AuditPage />
      </Suspense>,
    );
    await screen.findByRole('list', { name: 'Audit log' });
  };

  it('should tell who did what, from where and why not, with the rest behind “Details”', async () => {
    await open();
    const sentence = 'You moved 385 messages in ada@gmail.com to the trash';
    const item = within(screen.getByText(sentence).closest('li')!);
    expect(item.getByText(/· from 203\.0\.113\.7$/)).toBeVisible();
    expect(item.getByText('refused: 2')).not.toBeVisible();
    await userEvent.click(item.getByText('Details'));
    expect(item.getByText('refused: 2')).toBeVisible();
    expect(item.getByText('Action: messages.bulk-completed')).toBeVisible();
    expect(item.getByText('Job: bulk_operation-7')).toBeVisible();
    const refused = within(screen.getByText('Someone tried to sign in, without success').closest('li')!);
    expect(refused.getByText('The e-mail address or the password is wrong.')).toBeVisible();
    expect(refused.getByText('No success')).toBeVisible();
  });

  it('should filter by subject, mailbox, outcome and days, and export what is shown', async () => {
    await open();
    await userEvent.selectOptions(screen.getByLabelText('About'), 'Deletions');
    await userEvent.selectOptions(screen.getByLabelText('Mailbox'), 'ada@work.example');
    await userEvent.selectOptions(screen.getByLabelText('Outcome'), 'Done');
    await userEvent.type(screen.getByLabelText('From'), '2026-01-01');
    await userEvent.type(screen.getByLabelText('To'), '2026-01-31');
    expect(await screen.findByText('No entry matches this filter.')).toBeVisible();
    const wanted = {
      group: 'deletions',
      accountId: 'other',
      outcome: 'success',
      from: new Date('2026-01-01T00:00:00').toISOString(),
      to: new Date('2026-01-31T23:59:59.999').toISOString(),
    };
    expect(Object.fromEntries(asked.at(-1)!.searchParams)).toMatchObject({ ...wanted, page: '1' });
    const link = screen.getByRole('link', { name: 'Export as CSV' });
    const address = new URL(link.getAttribute('href')!, 'http://mailroom.test');
    expect(address.pathname).toBe('/api/audit/export');
    expect(Object.fromEntries(address.searchParams)).toEqual(wanted);
  });
});
