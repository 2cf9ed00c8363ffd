import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aJob } from '../../../../test/a-job';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { LabelPicker, MessageActions, useActionTargets } from './MessageActions';

const LABELS = [
  { id: 'INBOX', name: 'INBOX', type: 'system' },
  { id: 'Label_1', name: 'Invoices', type: 'user' },
  { id: 'Label_2', name: 'Travel', type: 'user' },
];

describe('MessageActions', () => {
  beforeAll(async () => {
    await Promise.all((['mailbox', 'trash'] as const).map(loadTexts));
    await LabelPicker.preload?.();
  });
  afterEach(() => vi.unstubAllGlobals());

  const show = (targets: readonly string[] = ['a', 'b']) => {
    const sent: [string, unknown][] = [];
    const answers: Readonly<Record<string, object>> = {
      '/api/mailbox/account/labels': LABELS,
      '/api/archiving/account': { mode: 'off' },
      '/api/auth/me': { mailboxAccounts: [{ id: 'account', provider: 'gmail' }] },
      '/api/mailbox/account/messages/bulk': { jobId: 'bulk_operation-of-keys' },
      '/api/jobs': [aJob({ status: 'completed', completed_at: '2026-01-01T00:00:01.000Z' })],
      '/api/jobs/bulk_operation-1/undo': { undoable: true, reason: null, messages: 2, until: null },
    };
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST') {
        const text = await request.text();
        sent.push([pathname, text === '' ? null : JSON.parse(text)]);
      }
      return Response.json(answers[pathname] ?? {});
    });
    const onStarted = vi.fn();
    const List = (): ReactNode => {
      useActionTargets({ targets: () => targets, onStarted });
      return <div tabIndex={0} data-testid="list" />;
    };
    renderPart(
      <MessageActions accountId="account">
        <List />
        <input aria-label="field" />
      </MessageActions>,
    );
    screen.getByTestId('list').focus();
    return { sent, onStarted };
  };

  it.each([
    ['e', { action: 'archive' }],
    ['r', { action: 'mark_read' }],
    ['u', { action: 'mark_unread' }],
    ['!', { action: 'move', labelId: 'SPAM' }],
  ])('should change the messages at hand by the key %s', async (key, body) => {
    const { sent, onStarted } = show();
    await userEvent.keyboard(key);
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(false, ['a', 'b']));
    expect(sent).toEqual([['/api/mailbox/account/messages/bulk', { ...body, messageIds: ['a', 'b'] }]]);
  });

  it('should ask before messages are moved to the trash by a key', async () => {
    const { sent, onStarted } = show();
    await userEvent.keyboard('#');
    await userEvent.click(await screen.findByRole('button', { name: 'Trash 2 messages' }));
    await waitFor(() => expect(onStarted).toHaveBeenCalledWith(true, ['a', 'b']));
    expect(sent).toEqual([
      ['/api/mailbox/account/messages/bulk', { action: 'trash', messageIds: ['a', 'b'] }],
    ]);
  });

  it.each([
    ['l', 'label', 'Add a label to 2 messages'],
    ['v', 'move', 'Move 2 messages out of the inbox to'],
  ])('should let one type the label after the key %s', async (key, action, title) => {
    const { sent } = show();
    await userEvent.keyboard(key);
    expect(await screen.findByRole('dialog', { name: title })).toBeInTheDocument();
    await userEvent.type(await screen.findByRole('combobox', { name: 'Label' }), 'trav');
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(sent).toEqual([
        ['/api/mailbox/account/messages/bulk', { action, labelId: 'Label_2', messageIds: ['a', 'b'] }],
      ]),
    );
  });

  it('should undo the last change by z', async () => {
    const { sent } = show([]);
    await screen.findByTestId('list');
    await waitFor(async () => {
      await userEvent.keyboard('z');
      expect(sent).toContainEqual(['/api/jobs/bulk_operation-1/undo', null]);
    });
  });

  it.each(['e', '#'])('should do nothing by %s without a message, or while one types', async (key) => {
    const { sent } = show([]);
    await userEvent.keyboard(key);
    await userEvent.type(screen.getByRole('textbox', { name: 'field' }), key);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toEqual([]);
  });
});
