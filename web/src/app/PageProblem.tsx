import { Container } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { isLostPart } from '../api/problems';
import { ProblemView } from '../ui/ProblemView';
import { useSteady } from '../ui/use-steady';
import { reloadPart } from './lost-part';

/** In place of a page that failed. */
export function PageProblem({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const isLost = isLostPart(error);
  const retry = useSteady((): void => {
    reset();
    void router.invalidate();
  });
  useEffect(() => {
    if (!isLost) return undefined;
    const leaving = new AbortController();
    void reloadPart(retry, leaving.signal);
    return () => leaving.abort();
  }, [isLost, error, retry]);
  return (
    <Container size="sm" p="md">
      <ProblemView error={error} onRetry={retry} />
    </Container>
  );
}
