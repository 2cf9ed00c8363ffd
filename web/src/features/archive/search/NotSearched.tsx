import { Alert, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { PlainList } from '../../../ui/PlainList';
import { Wrapping } from '../../../ui/Wrapping';
import { reasonText } from './not-searched';

interface NotSearchedProps {
  readonly mailboxes: readonly Schemas['NotSearchedResponse'][];
  /** Whether their archives were searched. */
  readonly withArchives: boolean;
}

/** Mailboxes that a search could not look into, and why: what is only there was not found. */
export function NotSearched({ mailboxes, withArchives }: NotSearchedProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  if (mailboxes.length === 0) return null;
  return (
    <Alert color="yellow" role="status" title={t('search.notSearched')}>
      <Stack gap="xs">
        <PlainList gap={4}>
          {mailboxes.map((mailbox) => (
            <Wrapping key={mailbox.account_id} component="li" size="sm">
              {t('common.named', {
                what: mailboxAccounts.find(({ id }) => id === mailbox.account_id)?.email ?? '',
                name: reasonText(mailbox),
              })}
            </Wrapping>
          ))}
        </PlainList>
        {withArchives && <Text size="sm">{t('search.notSearchedMore')}</Text>}
      </Stack>
    </Alert>
  );
}
