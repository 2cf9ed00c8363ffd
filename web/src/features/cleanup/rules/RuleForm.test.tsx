import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '../../../i18n/texts';
import { renderPart } from '../../../../test/render';
import { RuleForm } from './RuleForm';

describe('a server that moves deleted messages to its trash', () => {
  afterEach(() => vi.unstubAllGlobals());

  const serve = async (): Promise<void> => {
    await Promise.all((['rules', 'labelNames', 'trash'] as const).map(loadTexts));
    const account = { capabilities: ['XMAGICTRASH'], folders: [], rolesFixed: false };
    const answers: Record<string, object> = {
      '/api/auth/me': { mailboxAccounts: [{ id: 'account', provider: 'imap' }] },
      '/api/auth/mailbox/account/imap': account,
    };
    vi.stubGlobal(
      'fetch',
      vi.fn(({ url }: Request) =>
        // The search that the preview of a rule names would lead to another page.
        url.includes('/preview')
          ? new Promise(() => undefined)
          : Promise.resolve(Response.json(answers[new URL(url).pathname] ?? {})),
      ),
    );
  };
  const warning = /^This server moves to its trash what is deleted/;

  it('should be mentioned in a rule that deletes permanently', async () => {
    await serve();
    const rule = {
      id: 'r',
      name: 'Old',
      conditions: [{ field: 'from', operator: 'contains', value: 'shop' }],
      action: { type: 'delete' },
      schedule: null,
      is_active: true,
    } as unknown as Parameters<typeof RuleForm>[0]['rule'];
    renderPart(<RuleForm accountId="account" rule={rule} onDone={() => undefined} />);
    expect(await screen.findByText(warning)).toBeInTheDocument();
  });
});

describe('a rule that is changed', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('should be saved with its conditions, its action and its schedule', async () => {
    await Promise.all((['rules', 'labelNames', 'trash'] as const).map(loadTexts));
    const saved: unknown[] = [];
    vi.stubGlobal(
      'fetch',
      vi.fn(async (request: Request) => {
        if (request.url.includes('/preview')) return new Promise(() => undefined);
        if (request.method !== 'GET') saved.push(await request.json());
        return Response.json(request.url.includes('/labels') ? [] : { mailboxAccounts: [] });
      }),
    );
    const rule = {
      id: 'r',
      name: 'Old',
      conditions: [{ field: 'from', operator: 'contains', value: 'shop' }],
      action: { type: 'trash' },
      schedule: null,
      is_active: true,
    } as unknown as Parameters<typeof RuleForm>[0]['rule'];
    const onDone = vi.fn();
    renderPart(<RuleForm accountId="account" rule={rule} onDone={onDone} />);
    const name = screen.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    expect(screen.getByRole('button', { name: 'Save the rule' })).toBeDisabled();
    await userEvent.type(name, 'New');
    await userEvent.selectOptions(screen.getByDisplayValue('Only when I run it'), 'weekly');
    await userEvent.click(screen.getByRole('button', { name: 'Save the rule' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(saved).toEqual([
      {
        name: 'New',
        conditions: [{ field: 'from', operator: 'contains', value: 'shop' }],
        action: { type: 'trash' },
        schedule: 'weekly',
        is_active: true,
      },
    ]);
  });
});
