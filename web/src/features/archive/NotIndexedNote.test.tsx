import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import type { ComponentProps, ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import { op } from '../../api/op';
import { loadTexts } from '../../i18n/texts';
import { NotIndexedNote } from './NotIndexedNote';

const ACCOUNTS = [
  { id: 'one', email: 'ada@example.com' },
  { id: 'two', email: 'bob@example.com' },
];

/** The note, where the person is known. */
function Sample(props: ComponentProps<typeof NotIndexedNote>): ReactNode {
  useQueryClient().setQueryData(op('auth.me').queryKey, { mailboxAccounts: ACCOUNTS } as never);
  return (
    <>
      <NotIndexedNote {...props} />
      <p>end</p>
    </>
  );
}

function show(notIndexed: Partial<Schemas['NotIndexedResponse']> | null, accountIds = ['one']): void {
  const all = notIndexed && { mails: 3, waiting: 3, is_exact: true, total: 1_204, ...notIndexed };
  const root = createRootRoute({ component: () => <Sample notIndexed={all} accountIds={accountIds} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  renderPart(<RouterProvider router={router as never} />);
}

describe('NotIndexedNote', () => {
  beforeEach(() => loadTexts('search'));

  it.each([
    [{}, '3 of 1,204 archived messages are not fully indexed yet.'],
    [{ mails: 1, waiting: 1 }, '1 of 1,204 archived messages is not fully indexed yet.'],
    [{ waiting: 0 }, '3 of 1,204 archived messages could not be fully indexed.'],
    [{ waiting: 2 }, '3 of 1,204 archived messages are not fully indexed; 2 of them are still to be read.'],
    [
      { mails: 10_000, waiting: 10_000, total: 50_000, is_exact: false },
      'More than 10,000 of 50,000 archived messages are not fully indexed yet.',
    ],
  ])('should say of %j: %s', async (notIndexed, text) => {
    show(notIndexed);
    expect(await screen.findByText(text, { exact: false })).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Show them' });
    expect(new URL((link as HTMLAnchorElement).href).pathname).toBe('/a/one/index');
  });

  it('should lead to each archive that has such messages', async () => {
    show({}, ['one', 'two']);
    const link = await screen.findByRole('link', { name: 'bob@example.com' });
    expect(new URL((link as HTMLAnchorElement).href).pathname).toBe('/a/two/index');
  });

  it.each([[null], [{ mails: 0, waiting: 0 }]])('should say nothing of %j', async (notIndexed) => {
    show(notIndexed);
    await screen.findByText('end');
    expect(screen.queryByRole('link')).toBeNull();
  });
});
