import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toProblem, type Problem } from '../api/problems';
import { formatDuration } from '../i18n/format';
import { problemText } from './problem-text';
import { Wrapping } from './Wrapping';

interface ProblemViewProps {
  readonly error: unknown;
  /** Tries the same again; without it nothing can be done here. */
  readonly onRetry?: () => void;
  /** For codes that have a way out of their own, such as a mailbox to connect again. */
  readonly children?: ReactNode;
}

/** Something did not work: what, why, what to do, and what an administrator needs to find it in the log. */
export function ProblemView({ error, onRetry, children }: ProblemViewProps): ReactNode {
  const { t } = useTranslation();
  const problem = toProblem(error);
  const seconds = useCountdown(problem, onRetry);
  return (
    <Alert color="red" role="alert" title={t('problems.title')}>
      <Stack gap="xs">
        <Text size="sm">{problemText(problem)}</Text>
        {problem.fields.map(({ field, message }) => (
          <Text key={field} size="sm">
            {t('common.named', { what: field, name: message })}
          </Text>
        ))}
        {seconds !== null && (
          <Text size="sm">{t('problems.retryIn', { time: formatDuration(seconds) })}</Text>
        )}
        <Group gap="sm">
          {onRetry && (
            <Button size="xs" variant="light" color="red" onClick={onRetry}>
              {t('common.retry')}
            </Button>
          )}
          {children}
        </Group>
        {isForOperator(problem) && <ProblemReference {...problem} />}
      </Stack>
    </Alert>
  );
}

/** Whether someone has to look into the log: not for what people have mistyped, or may not do. */
const isForOperator = ({ status, code }: Problem): boolean =>
  status === null ? code !== 'offline' : status >= 500;

function ProblemReference({ code, requestId }: Problem): ReactNode {
  const { t } = useTranslation();
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed" w="fit-content">
        {t('problems.details')}
      </Text>
      <Wrapping size="xs" c="dimmed" ff="monospace">
        {t('problems.code', { code })}
        {requestId !== null && ` · ${t('problems.requestId', { id: requestId })}`}
      </Wrapping>
    </details>
  );
}

/** Seconds until a refusal that says when to come back is tried once more; null when there is nothing to wait for. */
function useCountdown({ retryAfter }: Problem, onRetry: (() => void) | undefined): number | null {
  const [left, setLeft] = useState(onRetry ? retryAfter : null);
  // A page that is drawn anew meanwhile, as with each event of a job, must not begin the second afresh.
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  }, [onRetry]);
  useEffect(() => {
    if (left === null) return undefined;
    const timer = setTimeout(() => {
      setLeft(left > 1 ? left - 1 : null);
      if (left <= 1) retry.current?.();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
