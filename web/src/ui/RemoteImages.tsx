import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { IconPhoto } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemView } from './ProblemView';
import { Wrapping } from './Wrapping';

/** A mail with those of its remote images that could be loaded. */
export type MailWithImages = Schemas['SafeHtmlWithImagesResponse'];

/** Names that are shown; a message with more has the others counted. */
const SHOWN_HOSTS = 3;

interface RemoteImagesProps {
  /** The mail without them. */
  readonly mail: Pick<Schemas['SafeHtmlResponse'], 'remoteImages' | 'remoteImageHosts'>;
  /** null until they were loaded. */
  readonly loaded: MailWithImages | null;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly onLoad: () => void;
}

/**
 * Remote images of a mail are loaded after a click, of this mail alone. The service fetches them: their hosts see it, and
 * not the browser, and what they learn is said beside the button.
 */
export function RemoteImages({ mail, loaded, isLoading, error, onLoad }: RemoteImagesProps): ReactNode {
  const { t } = useTranslation();
  const { remoteImages: count, remoteImageHosts: hosts } = mail;
  if (count === 0) return null;
  if (loaded) return <LoadedImages {...loaded} count={count} />;
  const named = hosts.slice(0, SHOWN_HOSTS).join(', ');
  const others = hosts.length - SHOWN_HOSTS;
  return (
    <Stack gap={4} mt="xs">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPhoto size={14} aria-hidden />}
          loading={isLoading}
          onClick={onLoad}
        >
          {t('mailFacts.images.load', { count })}
        </Button>
      </Group>
      <Wrapping size="xs" c="dimmed">
        {t('mailFacts.images.warning', {
          hosts: others > 0 ? t('mailFacts.images.andOthers', { hosts: named, count: others }) : named,
        })}
      </Wrapping>
      {error !== null && <ProblemView error={error} />}
    </Stack>
  );
}

interface LoadedImagesProps extends Pick<MailWithImages, 'remoteImagesShown' | 'remoteImagesFailed'> {
  /** All of the mail's. */
  readonly count: number;
}

function LoadedImages({ count, remoteImagesShown, remoteImagesFailed }: LoadedImagesProps): ReactNode {
  const { t } = useTranslation();
  const some =
    remoteImagesShown > 0
      ? t('mailFacts.images.shownSome', { shown: remoteImagesShown, total: count })
      : t('mailFacts.images.shownNone', { count });
  return (
    <Text size="sm" mt="xs" role="status">
      {remoteImagesFailed === 0 ? t('mailFacts.images.shown', { count: remoteImagesShown }) : some}
    </Text>
  );
}
