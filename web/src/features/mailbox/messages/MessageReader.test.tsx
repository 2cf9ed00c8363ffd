import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { MessageReader } from './MessageReader';
import { loadTexts } from '../../../i18n/texts';

const MESSAGE = {
  id: 'm',
  subject: 'A letter',
  from: 'ada@a.test',
  to: 'me@a.test',
  date: '2026-01-01T00:00:00Z',
};
const RAW = 'Subject: A letter\r\nX-Odd: yes\r\n\r\nHello as it came\r\n';
const SAFE = {
  html: '<body>Hello</body>',
  trackersRemoved: 0,
  remoteContentBlocked: 2,
  inlineImages: 0,
  truncated: false,
  trackers: [],
  protection: null,
  invitations: [],
  doubts: [],
  remoteImages: 2,
  remoteImageHosts: ['a.test'],
  attachments: [],
};

describe('a message of the live mailbox', () => {
  beforeAll(() => loadTexts('mailFacts'));

  const asked: string[] = [];
  let images: Response;

  beforeEach(() => {
    asked.splice(0);
    vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
      const { method, url } = input as Request;
      const { pathname } = new URL(url);
      asked.push(`${method} ${pathname}`);
      if (pathname.endsWith('/remote-images')) return images;
      if (pathname.endsWith('/eml')) return new Response(RAW);
      return Response.json(pathname.endsWith('/safe-html') ? SAFE : MESSAGE);
    });
  });

  afterEach(() => vi.restoreAllMocks());

  const load = async (): Promise<void> => {
    renderPart(<MessageReader accountId="a" messageId="m" onClose={() => undefined} />);
    const button = await screen.findByRole('button', { name: 'Load 2 remote images' });
    expect(screen.getByText(/^From a\.test\. .* can learn/)).toBeVisible();
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
    await userEvent.click(button);
  };

  it('should load its remote images only after a click', async () => {
    images = Response.json({
      ...SAFE,
      html: '<body>with pictures</body>',
      remoteImagesShown: 2,
      remoteImagesFailed: 0,
    });
    await load();
    await screen.findByText('2 remote images are shown, until you leave this message.');
    expect(asked.at(-1)).toBe('POST /api/mailbox/a/messages/m/remote-images');
    expect(screen.getByTitle('Text of the message')).toHaveAttribute('srcdoc', '<body>with pictures</body>');
  });

  it('should lead to more mail of its sender', async () => {
    const onMoreFrom = vi.fn();
    renderPart(
      <MessageReader accountId="a" messageId="m" onMoreFrom={onMoreFrom} onClose={() => undefined} />,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'More from this sender' }));
    expect(onMoreFrom).toHaveBeenCalledWith('ada@a.test');
  });

  it('should be read as text, by its headers, and as it came', async () => {
    renderPart(<MessageReader accountId="a" messageId="m" onClose={() => undefined} />);
    await userEvent.click(await screen.findByRole('radio', { name: 'Text' }));
    expect(await screen.findByText('Hello')).toBeVisible();
    expect(screen.queryByRole('button', { name: /remote images/ })).toBeNull();
    expect(asked).not.toContain('GET /api/mailbox/a/messages/m/eml');

    await userEvent.click(screen.getByRole('radio', { name: 'Headers' }));
    expect(await screen.findByRole('row', { name: 'X-Odd yes' })).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Source' }));
    expect(screen.getByText(/Hello as it came/)).toBeVisible();
    expect(asked.filter((one) => one.endsWith('/eml'))).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Download as it is' })).toHaveAttribute('download', 'm.eml');
  });

  it('should explain why they could not be loaded, and be shown without them', async () => {
    images = Response.json(
      { status: 404, code: 'message-not-found', title: '', detail: '', requestId: 'r' },
      { status: 404, headers: { 'content-type': 'application/problem+json' } },
    );
    await load();
    expect(await screen.findByRole('alert')).toHaveTextContent('This message is no longer there.');
    expect(screen.getByTitle('Text of the message')).toHaveAttribute('srcdoc', SAFE.html);
    expect(screen.getByRole('button', { name: 'Load 2 remote images' })).toBeEnabled();
  });
});
