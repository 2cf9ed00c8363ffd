import { Anchor, Stack } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';

interface ArchiveLinksProps {
  readonly accountId: string;
  /** Words of the search that is shown. */
  readonly q: string | undefined;
}

/** Links to other views of the archive, and from its search to that of all mailboxes. */
export function ArchiveLinks({ accountId, q }: ArchiveLinksProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const link = (target: LinkProps, text: string): ReactNode => (
    <Anchor size="sm" renderRoot={(root) => <Link {...target} {...root} />}>
      {text}
    </Anchor>
  );
  return (
    <Stack gap={4} mb="md">
      {link({ to: '/a/$accountId/attachments', params: { accountId } }, t('archive.attachmentsLink'))}
      {link({ to: '/a/$accountId/index', params: { accountId } }, t('search.index.title'))}
      {mailboxAccounts.length > 1 && link({ to: '/search', search: { q } }, t('archive.everywhereLink'))}
    </Stack>
  );
}
