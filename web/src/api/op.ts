import type { Answer, Arguments, OperationId } from '@mailroom/sdk';
import { queryOptions, useMutation, type UseMutationResult } from '@tanstack/react-query';
import { call } from './client';

/** Figures are computed over a whole mailbox, and change slowly. */
const FIGURES = new Set(['dashboard', 'analytics', 'quota']);
/** Operations on messages: only the labels of a message change, and each request costs quota of the provider. */
const MESSAGES = new Set<OperationId>(['mailbox.getMessages', 'mailbox.getMessage', 'mailbox.readSafeHtml']);
const LIST_MS = 30_000;
const SLOW_MS = 5 * 60_000;

const freshMs = (id: OperationId): number =>
  FIGURES.has(id.slice(0, id.indexOf('.'))) || MESSAGES.has(id) ? SLOW_MS : LIST_MS;

type OptionalArguments<Id extends OperationId> =
  Record<never, never> extends Arguments<Id> ? [args?: Arguments<Id>] : [args: Arguments<Id>];

/**
 * The answer of an operation as a query: `useQuery(op('mailbox.listLabels', { accountId }))`. Its key begins with the
 * operationId, so that `invalidate` finds all of its answers.
 */
export function op<Id extends OperationId>(id: Id, ...[args]: OptionalArguments<Id>) {
  const given = (args ?? {}) as Arguments<Id>;
  return queryOptions({
    queryKey: [id, given] as const,
    queryFn: ({ signal }): Promise<Answer<Id>> => call(id, given, { signal }),
    staleTime: freshMs(id),
  });
}

/** An operation that changes something: `const toggle = useOperation('mailboxAccounts.toggle')`. */
export function useOperation<Id extends OperationId>(
  id: Id,
): UseMutationResult<Answer<Id>, Error, Arguments<Id>> {
  return useMutation({ mutationKey: [id], mutationFn: (args: Arguments<Id>) => call(id, args) });
}
