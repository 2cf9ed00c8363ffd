import { Button, Menu, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { hasCode } from '../../../api/problems';
import { formatBytes } from '../../../i18n/format';
import { ProblemView } from '../../../ui/ProblemView';
import type { ChosenMails } from './chosen-mails';
import { passphraseStore, usePassphrase } from '../../../shared/passphrases/passphrase';
import { PassphraseForm } from '../../../shared/passphrases/PassphraseForm';
import { saveFrom } from '../../../ui/save-file';

type Format = 'zip' | 'mbox';

/** Largest number of mails in a file of each format. */
const MOST: Readonly<Record<Format, number>> = { zip: 10_000, mbox: 50_000 };

interface ExportMenuProps {
  readonly accountId: string;
  readonly label: string;
  readonly chosen: ChosenMails;
  /** Without conditions an mbox file takes any number. */
  readonly isEverything: boolean;
}

/** Takes mails out as a file, through the downloads of the browser: nothing of it is held by the page. */
export function ExportMenu({ accountId, label, chosen, isEverything }: ExportMenuProps): ReactNode {
  const { t } = useTranslation();
  const [format, setFormat] = useState<Format | null>(null);
  const passphrase = usePassphrase();
  const prepare = useOperation('archive.prepareExport');
  const tooMany = (kind: Format): boolean => chosen.count > MOST[kind] && !(kind === 'mbox' && isEverything);
  const start = (kind: Format, phrase: string | null): void => {
    setFormat(kind);
    const body =
      kind === 'mbox' && isEverything ? { filter: {}, format: kind } : { ...chosen.body, format: kind };
    prepare.mutate(
      { accountId, archivePassphrase: phrase ?? undefined, body },
      {
        onSuccess: ({ url, filename, mails, bytes }) => {
          setFormat(null);
          passphraseStore.used();
          saveFrom(url, filename);
          notifications.show({
            message: t('archive.exporting', { count: mails, size: formatBytes(bytes), name: filename }),
          });
        },
        onError: (error) => {
          if (hasCode(error, 'passphrase-invalid')) passphraseStore.forget();
        },
      },
    );
  };
  const isWrong = hasCode(prepare.error, 'passphrase-invalid');
  const asksPassphrase = isWrong || hasCode(prepare.error, 'mails-encrypted');
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={prepare.isPending}
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw="calc(100vw - 2rem)">
          {(['zip', 'mbox'] as const).map((kind) => (
            <Menu.Item key={kind} disabled={tooMany(kind)} onClick={() => start(kind, passphrase)}>
              <Text size="sm">{t(`archive.formats.${kind}`)}</Text>
              <Text size="xs" c="dimmed">
                {tooMany(kind)
                  ? t('archive.tooMany', { count: MOST[kind] })
                  : t(`archive.formatsText.${kind}`)}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={prepare.isError && format !== null}
        onClose={() => {
          setFormat(null);
          prepare.reset();
        }}
        title={label}
      >
        <Stack>
          {asksPassphrase ? (
            <PassphraseForm
              wasWrong={isWrong}
              onTyped={(typed) => format && start(format, typed)}
              verb={t('archive.takeOut')}
            />
          ) : (
            <ProblemView error={prepare.error} onRetry={() => format && start(format, passphrase)} />
          )}
        </Stack>
      </Modal>
    </>
  );
}
