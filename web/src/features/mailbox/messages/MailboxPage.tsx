import { Box, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/EmptyState';
import { KeysHint } from '../../../ui/KeysHint';
import { ListBar } from '../../../ui/ListBar';
import { MailPanes } from '../../../ui/MailPanes';
import { Page, PageTools } from '../../../ui/Page';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { SavedSearches } from '../../../shared/saved-searches/SavedSearches';
import { Sought } from '../../../ui/highlights/Sought';
import { placeOf, wantListFocus } from '../../../ui/list-places';
import { useReaderSteps } from '../../../ui/reader-steps';
import { SearchField } from '../../../ui/SearchField';
import { senderSearch } from '../../../ui/sender';
import { useListFocus } from '../../../ui/use-list-focus';
import { ChangeButtons } from './ChangeButtons';
import { ChooseAllButton } from './ChooseAllButton';
import { ChosenAll } from './ChosenAll';
import { ChosenRows } from './ChosenRows';
import { LabelTree } from './LabelTree';
import classes from './mailbox-page.module.css';
import { MessageActions, useActionTargets } from './MessageActions';
import { MessageList } from './MessageList';
import { MessageReader } from './MessageReader';
import { QuickFilters } from './QuickFilters';
import { useMessageIds, type FoundMessages } from './message-ids';
import { useChoice, type Choice } from './use-choice';

const HERE = '/signed-in/a/$accountId/mailbox';
/** Messages before the last one that is known at which the next ones are asked for. */
const EARLY_STEPS = 20;

/** The live mailbox: a search, what it finds, the message that is being read. All of it is in the address. */
export function MailboxPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: HERE });
  const { q = '' } = useSearch({ from: HERE });
  const navigate = useNavigate({ from: '/a/$accountId/mailbox' });
  const found = useMessageIds(accountId, q);
  const search = (next: string): void => void navigate({ search: { q: next || undefined } });
  return (
    <Page
      title={t('mailbox.title')}
      fills
      tools={
        <>
          <SearchField
            label={t('mailbox.search')}
            help={t('mailbox.searchHelp')}
            value={q}
            onSearch={search}
          />
          <PageTools>
            <SavedSearches scope="mailbox" query={q} onSearch={search} />
            <QuickFilters accountId={accountId} query={q} onSearch={search} />
          </PageTools>
        </>
      }
    >
      <MessageActions accountId={accountId} className={classes.beside}>
        <div className={classes.labels}>
          <LabelTree accountId={accountId} query={q} />
        </div>
        <div className={classes.main}>
          <QueryView
            query={found}
            empty={{
              when: ({ ids }) => ids.length === 0,
              show: <EmptyState text={q === '' ? t('mailbox.emptyMailbox') : t('mailbox.empty')} />,
            }}
          >
            {(messages) => (
              <Found
                key={q}
                place={`${accountId} mailbox ${q}`}
                accountId={accountId}
                query={q}
                found={messages}
                onSearch={search}
                onEnd={() => {
                  if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage();
                }}
              />
            )}
          </QueryView>
        </div>
      </MessageActions>
    </Page>
  );
}

interface FoundProps {
  readonly place: string;
  readonly accountId: string;
  readonly query: string;
  readonly found: FoundMessages;
  readonly onSearch: (query: string) => void;
  readonly onEnd: () => void;
}

function Found({ place, accountId, query, found, onSearch, onEnd }: FoundProps): ReactNode {
  const { message } = useSearch({ from: HERE });
  const navigate = useNavigate({ from: '/a/$accountId/mailbox' });
  const choice = useChoice(found.ids);
  const { around, thenList } = useListFocus();
  const open = useCallback(
    (id: string | undefined) => void navigate({ search: (before) => ({ ...before, message: id }) }),
    [navigate],
  );
  const steps = useReaderSteps({
    of: 'message',
    index: message === undefined ? -1 : found.ids.indexOf(message),
    count: found.ids.length,
    isComplete: found.isComplete,
    onOpen: (index) => {
      // Going back leads to the list, not through all that was read.
      void navigate({ replace: true, search: (before) => ({ ...before, message: found.ids[index] }) });
      // On a narrow page there is no list that would ask for more.
      if (index >= found.ids.length - EARLY_STEPS) onEnd();
    },
  });
  /** None when all that match are chosen: the buttons say their number first. */
  const atHand = (): readonly string[] => {
    if (choice.isAll) return [];
    if (choice.ids.size > 0) return [...choice.ids];
    const id = message ?? found.ids[placeOf(place).active];
    return id === undefined ? [] : [id];
  };
  const error = useActionTargets({
    targets: atHand,
    onStarted: (removes, messageIds) => {
      if (messageIds.some((id) => choice.ids.has(id))) choice.none();
      if (removes && message !== undefined && messageIds.includes(message)) open(undefined);
    },
  });
  const byButton: Choice = { ...choice, all: thenList(choice.all), none: thenList(choice.none) };
  return (
    <>
      {error && <ProblemView error={error} />}
      <ChosenBar accountId={accountId} query={query} found={found} choice={byButton} />
      <MailPanes
        list={
          <Box ref={around} h="100%">
            <MessageList
              place={place}
              accountId={accountId}
              ids={found.ids}
              selection={choice}
              opened={message}
              onOpen={open}
              onSender={(from) => onSearch(senderSearch(from))}
              onEnd={onEnd}
            />
          </Box>
        }
        reader={
          message !== undefined && (
            <Sought q={query}>
              <MessageReader
                key={message}
                accountId={accountId}
                messageId={message}
                actions={
                  // With rows chosen, the same buttons above the list are about these.
                  choice.ids.size === 0 && (
                    <Box mt="xs">
                      <ChangeButtons
                        accountId={accountId}
                        target={{ messageIds: [message] }}
                        compact
                        onStarted={(removes) => removes && open(undefined)}
                      />
                    </Box>
                  )
                }
                steps={steps}
                onMoreFrom={(from) => {
                  wantListFocus();
                  onSearch(senderSearch(from));
                }}
                onClose={() => open(undefined)}
              />
            </Sought>
          )
        }
      />
    </>
  );
}

interface ChosenBarProps {
  readonly accountId: string;
  readonly query: string;
  readonly found: FoundMessages;
  readonly choice: Choice;
}

/** Number of messages found or chosen, and the actions on them. */
function ChosenBar({ accountId, query, found, choice }: ChosenBarProps): ReactNode {
  const { t } = useTranslation();
  if (choice.isAll)
    return <ChosenAll accountId={accountId} query={query} onNone={choice.none} onStarted={choice.none} />;
  if (choice.ids.size > 0)
    return <ChosenRows accountId={accountId} choice={choice} found={found} onStarted={choice.none} />;
  const { length: count } = found.ids;
  return (
    <ListBar
      count={
        <>
          <Text size="sm" c="dimmed" role="status">
            {t(found.isComplete ? 'mailbox.foundAll' : 'mailbox.foundAtLeast', { count })}
          </Text>
          <ChooseAllButton found={found} onChooseAll={choice.all} />
        </>
      }
      actions={<KeysHint text={t('mailbox.keys')} touch={t('mailbox.tick')} />}
    />
  );
}
