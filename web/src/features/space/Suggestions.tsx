import { ActionIcon, Stack } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client';
import { op } from '../../api/op';
import { formatBytes } from '../../i18n/format';
import { EmptyState } from '../../ui/EmptyState';
import { ProblemView } from '../../ui/ProblemView';
import { QueryView } from '../../ui/QueryView';
import { senderName } from '../../ui/sender';
import { MailboxRow } from '../../ui/MailboxRow';
import { Section } from '../../ui/Section';

type Suggestion = Schemas['SuggestionResponse'];

/** What could be cleaned up, largest first; what is dismissed is not suggested again. */
export function Suggestions({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const suggestions = useQuery(op('analytics.getCleanupSuggestions', { accountId }));
  const dismiss = useDismissal(accountId);
  return (
    <Section title={t('space.suggestions')}>
      {dismiss.error && <ProblemView error={dismiss.error} />}
      <QueryView
        query={suggestions}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('space.noSuggestions')} /> }}
      >
        {(all) => (
          <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
            {all.map((suggestion) => {
              const { id, type, query, emailCount: count, totalSizeBytes } = suggestion;
              const title = t(`space.suggestion.${type}`, { count, sender: senderName(suggestion.sender) });
              return (
                <MailboxRow
                  key={id}
                  accountId={accountId}
                  q={query}
                  title={title}
                  size={formatBytes(totalSizeBytes)}
                  facts={[query]}
                  mark={
                    <ActionIcon
                      variant="subtle"
                      size="sm"
                      aria-label={t('space.dismiss', { title })}
                      onClick={() => dismiss.mutate(suggestion)}
                    >
                      <IconX size={14} aria-hidden />
                    </ActionIcon>
                  }
                />
              );
            })}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

/** Gone at once, and back if the service refuses. */
function useDismissal(accountId: string) {
  const client = useQueryClient();
  const { queryKey } = op('analytics.getCleanupSuggestions', { accountId });
  return useMutation({
    mutationFn: ({ id: suggestionId }: Suggestion) => call('analytics.dismissSuggestion', { suggestionId }),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (all) => all?.filter((other) => other.id !== id));
      return before;
    },
    onError: (_error, _suggestion, before) => client.setQueryData(queryKey, before),
  });
}
