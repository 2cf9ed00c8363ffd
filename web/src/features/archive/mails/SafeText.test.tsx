import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { passphraseStore } from '../../../shared/passphrases/passphrase';
import { SafeText } from './SafeText';
import { loadTexts } from '../../../i18n/texts';

const HEAD = { subject: 'S', from: 'a@x.test', to: '', date: '2026-01-01T00:00:00.000Z' };
const SAFE = {
  html: '<body>Hello <img alt="A coat"></body>',
  trackersRemoved: 2,
  remoteContentBlocked: 3,
  inlineImages: 0,
  truncated: false,
  trackers: [],
  protection: null,
  invitations: [],
  doubts: [],
  remoteImages: 2,
  remoteImageHosts: ['a.test', 'b.test', 'c.test', 'd.test'],
};

const asked: { readonly method: string; readonly path: string; readonly passphrase: string | null }[] = [];
let answer: (passphrase: string | null, path: string) => Response;

const problem = (status: number, code: string): Response =>
  Response.json(
    { code, status, title: '', detail: '' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

describe('the text of an archived mail', () => {
  beforeAll(() => loadTexts('mailFacts'));

  beforeEach(() => {
    asked.splice(0);
    vi.spyOn(window, 'fetch').mockImplementation(async (input) => {
      const { method, url, headers } = input as Request;
      const passphrase = headers.get('x-archive-passphrase');
      const { pathname } = new URL(url);
      asked.push({ method, path: pathname, passphrase });
      return answer(passphrase, pathname);
    });
  });

  afterEach(() => passphraseStore.forget());

  it('should load remote images only after a click, and warn who will learn of it', async () => {
    answer = (_passphrase, path) =>
      Response.json(
        path.endsWith('remote-images')
          ? { ...SAFE, html: '<body>with pictures</body>', remoteImagesShown: 1, remoteImagesFailed: 1 }
          : SAFE,
      );
    renderPart(<SafeText accountId="a" mailId="m" head={HEAD} kind="html" />);
    const button = await screen.findByRole('button', { name: 'Load 2 remote images' });
    expect(screen.getByText(/^From a\.test, b\.test, c\.test and 1 other\. .* can learn/)).toBeVisible();
    expect(asked.map(({ method }) => method)).toEqual(['GET']);

    await userEvent.click(button);
    await screen.findByText('Loaded 1 of 2 remote images. The rest could not be loaded.');
    expect(asked.at(-1)).toMatchObject({ method: 'POST', path: '/api/archive/a/mails/m/remote-images' });
    expect(screen.getByTitle('Text of the message')).toHaveAttribute('srcdoc', '<body>with pictures</body>');
  });

  it('should be text alone, without remote images, if the user prefers that', async () => {
    answer = () => Response.json(SAFE);
    renderPart(<SafeText accountId="a" mailId="m" head={HEAD} kind="text" />);
    expect(await screen.findByText('Hello [A coat]')).toBeVisible();
    expect(screen.getByText('2 trackers removed')).toBeVisible();
    expect(screen.queryByRole('button', { name: /images/i })).toBeNull();
  });

  it('should ask for the passphrase of encrypted mail until it is the right one', async () => {
    answer = (passphrase) => {
      if (passphrase === null) return problem(409, 'mails-encrypted');
      return passphrase.includes('right') ? Response.json(SAFE) : problem(403, 'passphrase-invalid');
    };
    renderPart(<SafeText accountId="a" mailId="m" head={HEAD} kind="text" />);
    const field = await screen.findByLabelText('Passphrase of the archive');
    await userEvent.type(field, 'wrong{Enter}');
    await screen.findByText('This is not the passphrase of the archive.');
    await userEvent.type(await screen.findByLabelText('Passphrase of the archive'), 'right{Enter}');
    expect(await screen.findByText('Hello [A coat]')).toBeVisible();

    // Not asked again for the next mail.
    renderPart(<SafeText accountId="a" mailId="another" head={HEAD} kind="text" />);
    await waitFor(() => expect(screen.getAllByText('Hello [A coat]')).toHaveLength(2));
    expect(screen.queryByLabelText('Passphrase of the archive')).toBeNull();
  });
});
