import type { UseQueryResult } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { isNotThere, toProblem } from '../api/problems';
import { Loading } from './Loading';
import { ProblemView } from './ProblemView';
import { WaysOutContext } from './ways-out';

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** In place of the lines that show that something is being loaded. */
  readonly loading?: ReactNode;
  /** Shown instead of the children when there is nothing. */
  readonly empty?: { readonly when: (data: Data) => boolean; readonly show: ReactNode };
  readonly children: (data: Data) => ReactNode;
}

/** The states of everything that is read: being loaded, a problem, nothing there, and what was read. */
export function QueryView<Data>({ query, loading, empty, children }: QueryViewProps<Data>): ReactNode {
  const { data, error, refetch } = query;
  // A resource that does not exist will not exist at the second request.
  const retry = isNotThere(error) ? undefined : (): void => void refetch();
  if (data === undefined)
    return error ? <QueryProblem error={error} onRetry={retry} /> : (loading ?? <Loading />);
  return (
    <>
      {/* What was read before stays: it is better than nothing. */}
      {error && <QueryProblem error={error} onRetry={retry} />}
      {empty?.when(data) ? empty.show : children(data)}
    </>
  );
}

function QueryProblem({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry: (() => void) | undefined;
}): ReactNode {
  const { [toProblem(error).code]: WayOut } = useContext(WaysOutContext);
  const accountId = useRouterState({ select: ({ matches }) => accountIn(matches) });
  return (
    <ProblemView error={error} onRetry={onRetry}>
      {WayOut && accountId && <WayOut accountId={accountId} />}
    </ProblemView>
  );
}

const accountIn = (matches: readonly { params: object }[]): string | undefined =>
  matches
    .map(({ params }) => (params as { accountId?: string }).accountId)
    .find((accountId) => accountId !== undefined);
