import { Container } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { isLostPart } from '../api/problems';
import { ProblemView } from '../ui/ProblemView';
import { reloadOnce } from './lost-part';

/** In place of a page that failed. */
export function PageProblem({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const lost = isLostPart(error);
  useEffect(() => {
    if (lost) void reloadOnce();
  }, [lost]);
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" p="md">
      <ProblemView error={error} onRetry={retry} />
    </Container>
  );
}
