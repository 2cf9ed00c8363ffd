import { Anchor, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mailroom } from '../../../api/client';
import { op } from '../../../api/op';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { SearchField } from '../../../ui/SearchField';
import { senderName } from '../../../ui/sender';
import { Wrapping, WrappingLink } from '../../../ui/Wrapping';

const HERE = '/signed-in/a/$accountId/attachments';
const PER_PAGE = 50;

const ORDERS = [
  ['largest', { sort: undefined, up: undefined }],
  ['smallest', { sort: undefined, up: true }],
  ['newest', { sort: 'date', up: undefined }],
  ['oldest', { sort: 'date', up: true }],
] as const;

/** All files of archived mail, of a mailbox that may be gone. */
export function AttachmentsPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: HERE });
  const { q, sort, up, page = 1 } = useSearch({ from: HERE });
  const navigate = useNavigate({ from: '/a/$accountId/attachments' });
  const found = useQuery({
    ...op('attachments.listArchivedAttachments', {
      accountId,
      q,
      sort: sort ?? 'size',
      order: up ? 'asc' : 'desc',
      page,
      limit: PER_PAGE,
    }),
    placeholderData: keepPreviousData,
  });
  const order = ORDERS.find(([, one]) => one.sort === sort && one.up === up) ?? ORDERS[0];
  return (
    <Page title={t('archive.attachments')}>
      <SearchField
        label={t('archive.attachmentsSearch')}
        help=""
        value={q ?? ''}
        onSearch={(next) =>
          void navigate({ search: (before) => ({ ...before, q: next || undefined, page: undefined }) })
        }
      />
      <Group>
        <NativeSelect
          size="xs"
          aria-label={t('archive.attachmentsOrder')}
          value={order[0]}
          data={ORDERS.map(([value]) => ({ value, label: t(`archive.orders.${value}`) }))}
          onChange={(event) => {
            const chosen = ORDERS.find(([value]) => value === event.currentTarget.value) ?? ORDERS[0];
            void navigate({ search: (before) => ({ ...before, ...chosen[1], page: undefined }) });
          }}
        />
      </Group>
      <QueryView
        query={found}
        empty={{
          when: ({ total }) => total === 0,
          show: <EmptyState text={t('archive.attachmentsNone')} />,
        }}
      >
        {({ attachments, total, totalSizeBytes }) => (
          <Stack gap="sm">
            <Text size="sm" c="dimmed" role="status">
              {t('archive.attachmentsFound', { count: total, size: formatBytes(totalSizeBytes) })}
            </Text>
            <PlainList gap="xs" aria-label={t('archive.attachments')}>
              {attachments.map((file) => (
                <li key={file.id}>
                  <WrappingLink
                    size="sm"
                    underline="always"
                    href={mailroom.urlOf('archive.downloadAttachment', {
                      accountId,
                      attachmentId: file.id,
                    })}
                    download={file.filename}
                    aria-label={t('mailFacts.download', {
                      name: file.filename,
                      size: formatBytes(file.size_bytes),
                    })}
                  >
                    {file.filename} ({formatBytes(file.size_bytes)})
                  </WrappingLink>
                  <Wrapping size="xs" c="dimmed">
                    {[
                      senderName(file.mail_sender),
                      file.mail_subject || t('mail.noSubject'),
                      formatShortDate(file.mail_date),
                    ].join(' · ')}{' '}
                    <Anchor
                      size="xs"
                      underline="always"
                      aria-label={t('common.named', {
                        what: t('archive.attachmentsMail'),
                        name: file.mail_subject || t('mail.noSubject'),
                      })}
                      renderRoot={(props) => (
                        <Link
                          to="/a/$accountId/archive"
                          params={{ accountId }}
                          search={{ mail: file.archived_mail_id }}
                          {...props}
                        />
                      )}
                    >
                      {t('archive.attachmentsMail')}
                    </Anchor>
                  </Wrapping>
                </li>
              ))}
            </PlainList>
            <Pages
              total={total}
              perPage={PER_PAGE}
              page={page}
              onChange={(next) =>
                void navigate({ search: (before) => ({ ...before, page: next === 1 ? undefined : next }) })
              }
            />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
