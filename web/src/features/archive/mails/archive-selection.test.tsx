import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../api/query-client';
import { useArchiveSelection, type ArchiveSelection } from './archive-selection';
import { resolveChosenMails } from './chosen-mails';
import type { HeldListing } from './archived-mails';

const UNTIL = '2024-03-01T08:00:00.000Z';
const listing = (total: number): HeldListing => ({
  accountId: 'a',
  filter: { q: 'invoice' },
  order: {},
  until: UNTIL,
  total,
});

const asked: URL[] = [];

/** Mails of a listing, named by their rows. */
function answer(request: Request, total: number): Response {
  const url = new URL(request.url);
  asked.push(url);
  const first = (Number(url.searchParams.get('page')) - 1) * 100;
  const mails = Array.from({ length: Math.min(100, total - first) }, (_, row) => ({ id: `m${first + row}` }));
  return Response.json({ total, page: 1, limit: 100, archived_until: UNTIL, mails });
}

function selectionOf(total: number): { current: ArchiveSelection } {
  vi.spyOn(window, 'fetch').mockImplementation(async (request) => answer(request as Request, total));
  const client = createQueryClient({ onSessionOver: () => undefined });
  const held = listing(total);
  return renderHook(() => useArchiveSelection(held), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  }).result;
}

describe('a selection of the archive', () => {
  beforeEach(() => void asked.splice(0));

  it('should select and deselect single mails', () => {
    const sut = selectionOf(250);
    act(() => sut.current.toggle('m3', 3, false));
    act(() => sut.current.toggle('m5', 5, false));
    act(() => sut.current.toggle('m3', 3, false));
    expect(sut.current.ids).toEqual(['m5']);
    expect(resolveChosenMails(listing(250), sut.current)).toEqual({ count: 1, body: { mailIds: ['m5'] } });
  });

  it('should select a range of which nothing is loaded yet', async () => {
    const sut = selectionOf(250);
    act(() => sut.current.toggle('m240', 240, false));
    act(() => sut.current.toggle('m90', 90, true));
    await waitFor(() => expect(sut.current.count).toBe(151));
    expect([sut.current.has('m90'), sut.current.has('m240'), sut.current.has('m89')]).toEqual([
      true,
      true,
      false,
    ]);
    // The first page holds the others still.
    expect(asked.map(({ searchParams }) => searchParams.get('archived_until'))).toEqual([null, UNTIL, UNTIL]);
  });

  it('should load all of a small result, so that single mails can be deselected', async () => {
    const sut = selectionOf(250);
    act(() => sut.current.all());
    await waitFor(() => expect(sut.current.count).toBe(250));
    act(() => sut.current.toggle('m7', 7, false));
    expect([sut.current.count, sut.current.has('m7')]).toEqual([249, false]);
    expect(resolveChosenMails(listing(250), sut.current).body.mailIds).toHaveLength(249);
  });

  it('should be the filter of a large result, without mail that arrived since', () => {
    const sut = selectionOf(5_000);
    act(() => sut.current.all());
    act(() => sut.current.toggle('m7', 7, false));
    expect([sut.current.count, sut.current.has('m7')]).toEqual([5_000, true]);
    expect(resolveChosenMails(listing(5_000), sut.current)).toEqual({
      count: 5_000,
      body: { filter: { q: 'invoice', archived_until: UNTIL } },
    });
    expect(asked).toEqual([]);
    act(() => sut.current.none());
    expect(sut.current.count).toBe(0);
  });

  it('should explain why a range could not be selected', async () => {
    const sut = selectionOf(250);
    vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    act(() => sut.current.all());
    await waitFor(() => expect(sut.current.error).not.toBeNull());
    expect(sut.current.count).toBe(0);
  });
});
