import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadTexts } from '../../i18n/texts';
import { renderPart } from '../../../test/render';
import { RuleForm } from './RuleForm';

describe('a server that moves to its trash what is deleted', () => {
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

  it('should be named in a rule that deletes for good', async () => {
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
