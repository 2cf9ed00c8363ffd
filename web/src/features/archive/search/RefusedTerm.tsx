import { Alert, Code, Stack, Text } from '@mantine/core';
import { MailroomError } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toProblem } from '../../../api/problems';
import { problemText } from '../../../ui/problem-text';
import { Marked } from '../../../ui/highlights/Marked';

interface RefusedTermProps {
  /** The search as it was sent. */
  readonly q: string;
  readonly error: unknown;
}

/** A search that was refused because of one term, which is marked in it. */
export function RefusedTerm({ q, error }: RefusedTermProps): ReactNode {
  const { t } = useTranslation();
  const term = error instanceof MailroomError ? error.term : null;
  return (
    <Alert color="red" role="alert" title={t('search.refused')}>
      <Stack gap="xs" align="flex-start">
        <Code fz="sm">
          <Marked
            text={q}
            highlights={term ? [{ start: term.offset, end: term.offset + term.length }] : []}
          />
        </Code>
        <Text size="sm">{problemText(toProblem(error))}</Text>
      </Stack>
    </Alert>
  );
}
