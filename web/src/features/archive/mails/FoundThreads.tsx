import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../../../ui/QueryView';
import { hasConditions } from './archive-filter';
import { useFirstThreads } from './archived-threads';
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
  const open = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, thread: id, mail: undefined }) });
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
            onDeleting={() => open(undefined)}
          />
          <ArchiveColumns
            listing={listing}
            conditions={conditions}
            onConditions={onConditions}
            list={<ThreadList place={place} listing={listing} count={total} opened={thread} onOpen={open} />}
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
                  onClose={() => open(undefined)}
                />
              )
            }
          />
        </>
      )}
    </QueryView>
  );
}
