import { Button, Group, Stack, Text } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import { IconPhoto } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { ProblemView } from '../../ui/ProblemView';
import { passphraseStore, usePassphrase } from './passphrase';

/** A mail with those of its remote images that could be loaded. */
export type MailWithImages = Answer<'privacy.loadRemoteImages'>;

/** Names that are shown; a message with more has the others counted. */
const SHOWN_HOSTS = 3;

interface RemoteImagesProps {
  readonly accountId: string;
  readonly mailId: string;
  readonly count: number;
  readonly hosts: readonly string[];
  readonly loaded: MailWithImages | null;
  readonly onLoaded: (mail: MailWithImages) => void;
}

/**
 * Remote images of a mail are loaded after a click, of this mail alone. The service fetches them: their hosts see it, and
 * not the browser, and what they learn is said beside the button.
 */
export function RemoteImages({
  accountId,
  mailId,
  count,
  hosts,
  loaded,
  onLoaded,
}: RemoteImagesProps): ReactNode {
  const { t } = useTranslation();
  const passphrase = usePassphrase();
  const load = useOperation('privacy.loadRemoteImages');
  if (loaded)
    return (
      <Text size="sm" mt="xs" role="status">
        {loaded.remoteImagesFailed === 0
          ? t('archive.images.shown', { count: loaded.remoteImagesShown })
          : t('archive.images.shownSome', { shown: loaded.remoteImagesShown, total: count })}
      </Text>
    );
  const named = hosts.slice(0, SHOWN_HOSTS).join(', ');
  const others = hosts.length - SHOWN_HOSTS;
  return (
    <Stack gap={4} mt="xs">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPhoto size={14} aria-hidden />}
          loading={load.isPending}
          onClick={() =>
            load.mutate(
              { accountId, mailId, archivePassphrase: passphrase ?? undefined },
              {
                onSuccess: (mail) => {
                  passphraseStore.used();
                  onLoaded(mail);
                },
              },
            )
          }
        >
          {t('archive.images.load', { count })}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('archive.images.warning', {
          hosts: others > 0 ? t('archive.images.andOthers', { hosts: named, count: others }) : named,
        })}
      </Text>
      {load.isError && <ProblemView error={load.error} />}
    </Stack>
  );
}
