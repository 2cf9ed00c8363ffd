import { ActionIcon, Anchor, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client';
import { op } from '../../api/op';
import { formatBytes } from '../../i18n/format';
import { EmptyState } from '../../ui/EmptyState';
import { ProblemView } from '../../ui/ProblemView';
import { QueryView } from '../../ui/QueryView';
import { senderName } from '../../ui/sender';
import { MailboxRow } from '../mailbox-links/MailboxRow';
import { PlainList } from '../../ui/PlainList';
import { Section } from '../../ui/Section';

type Suggestion = Schemas['SuggestionResponse'];

interface SuggestionsProps {
  readonly accountId: string;
  /** No more than these; the others are on the page of what fills the mailbox. */
  readonly shown?: number;
}

/** Cleanup suggestions with their reasons; a dismissed one is not suggested again. */
export function Suggestions({ accountId, shown = Infinity }: SuggestionsProps): ReactNode {
  const { t } = useTranslation();
  const suggestions = useQuery(op('analytics.getCleanupSuggestions', { accountId }));
  const dismiss = useDismissal(accountId);
  return (
    <Section title={t('suggestions.title')}>
      {dismiss.error && <ProblemView error={dismiss.error} />}
      <QueryView
        query={suggestions}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('suggestions.none')} /> }}
      >
        {(all) => (
          <>
            <PlainList gap="xs" component="ol">
              {all.slice(0, shown).map((suggestion) => {
                const { id, type, query, emailCount: count, totalSizeBytes, mayBeRecords } = suggestion;
                const title = t(`suggestions.kinds.${type}`, {
                  count,
                  sender: senderName(suggestion.sender),
                });
                return (
                  <MailboxRow
                    key={id}
                    accountId={accountId}
                    q={query}
                    title={title}
                    size={formatBytes(totalSizeBytes)}
                    facts={[t(`suggestions.reasons.${type}`)]}
                    mark={
                      <ActionIcon
                        variant="subtle"
                        size="sm"
                        aria-label={t('suggestions.dismiss', { title })}
                        onClick={() => dismiss.mutate(suggestion)}
                      >
                        <IconX size={14} aria-hidden />
                      </ActionIcon>
                    }
                  >
                    {mayBeRecords && <Text size="xs">{t('suggestions.records')}</Text>}
                  </MailboxRow>
                );
              })}
            </PlainList>
            {all.length > shown && (
              <Anchor
                size="sm"
                renderRoot={(root) => <Link to="/a/$accountId/space" params={{ accountId }} {...root} />}
              >
                {t('suggestions.all')}
              </Anchor>
            )}
          </>
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
