import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { wantListFocus } from '../../../ui/list-places';
import { QueryView } from '../../../ui/QueryView';
import { useReaderSteps } from '../../../ui/reader-steps';
import { senderSearch } from '../../../ui/sender';
import { hasConditions, NO_CONDITIONS } from './archive-filter';
import { useFirstThreads, useThreadAt } from './archived-threads';
import { ArchiveActions } from './ArchiveActions';
import { ArchiveColumns } from './ArchiveColumns';
import type { FoundProps } from './found';
import { ThreadList } from './ThreadList';
import { ThreadReader } from './ThreadReader';

/** The conversations with a mail that was found. */
export function FoundThreads({ place, listing, conditions, onConditions }: FoundProps): ReactNode {
  const { t } = useTranslation();
  const { thread, mail } = useSearch({ from: '/signed-in/a/$accountId/archive' });
  const navigate = useNavigate({ from: '/a/$accountId/archive' });
  const first = useFirstThreads(listing);
  const threadAt = useThreadAt(listing);
  const [places] = useState(() => new Map<string, number>());
  const open = (id: string | undefined, index = -1, replace = false): void => {
    if (id !== undefined) places.set(id, index);
    void navigate({ replace, search: (before) => ({ ...before, thread: id, mail: undefined }) });
  };
  const close = (): void => open(undefined);
  const amongFirst = first.data?.threads.findIndex(({ thread_id: id }) => id === thread) ?? -1;
  const openedAt = amongFirst === -1 ? (places.get(thread ?? '') ?? -1) : amongFirst;
  const steps = useReaderSteps({
    of: 'conversation',
    index: openedAt,
    count: first.data?.total ?? 0,
    isComplete: true,
    // If a page cannot be loaded, the list says why.
    onOpen: (index) =>
      void threadAt(index).then(
        (id) => id !== undefined && open(id, index, true),
        () => undefined,
      ),
  });
  return (
    <QueryView query={first}>
      {({ total }) => (
        <>
          <ArchiveActions
            listing={listing}
            selection={null}
            found={t('archive.foundThreads', {
              mails: t('archive.messages', { count: listing.total }),
              threads: t('archive.conversations', { count: total }),
            })}
            hasConditions={hasConditions(conditions)}
            onDeleting={close}
          />
          <ArchiveColumns
            listing={listing}
            conditions={conditions}
            onConditions={onConditions}
            list={
              <ThreadList
                place={place}
                listing={listing}
                count={total}
                opened={thread}
                openedAt={openedAt}
                onOpen={open}
              />
            }
            reader={
              thread !== undefined && (
                <ThreadReader
                  key={thread}
                  accountId={listing.accountId}
                  threadId={thread}
                  mailId={mail}
                  onMail={(id) =>
                    void navigate({ replace: true, search: (before) => ({ ...before, mail: id }) })
                  }
                  steps={steps}
                  onMoreFrom={(from) => {
                    wantListFocus();
                    onConditions({ ...NO_CONDITIONS, q: senderSearch(from) });
                  }}
                  onClose={close}
                />
              )
            }
          />
        </>
      )}
    </QueryView>
  );
}
