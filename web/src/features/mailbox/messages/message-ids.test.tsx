import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../api/query-client';
import { useMessageIds } from './message-ids';

/** Providers estimate 201 of everything that has a second page. */
const page = (ids: string[], nextPageToken: string | null): Response =>
  Response.json({
    messages: ids.map((id) => ({ id, threadId: id })),
    nextPageToken,
    resultSizeEstimate: 201,
  });

describe('the messages that match', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('should be the loaded ones, and all of them after the last page', async () => {
    const answers = [page(['a', 'b'], 'next'), page(['b', 'c'], null)];
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(answers.shift()!)),
    );
    const client = createQueryClient({ onSessionOver: () => undefined });
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(() => useMessageIds('a', 'x'), { wrapper });
    await waitFor(() => expect(result.current.data).toEqual({ ids: ['a', 'b'], isComplete: false }));
    await act(() => result.current.fetchNextPage());
    await waitFor(() => expect(result.current.data).toEqual({ ids: ['a', 'b', 'c'], isComplete: true }));
  });
});
