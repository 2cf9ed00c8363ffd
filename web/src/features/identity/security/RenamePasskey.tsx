import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

interface PasskeyProps {
  readonly passkey: Schemas['PasskeyResponse'];
}

/** A button that asks for the new name of a passkey. */
export function RenamePasskey({ passkey }: PasskeyProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const verb = t('security.passkeys.rename');
  const { name } = passkey;
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('common.named', { what: verb, name })}
        onClick={() => setIsOpen(true)}
      >
        {verb}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('security.passkeys.renameTitle', { name })}
      >
        {isOpen && <NameForm passkey={passkey} onDone={() => setIsOpen(false)} />}
      </Modal>
    </>
  );
}

function NameForm({ passkey, onDone }: PasskeyProps & { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { name: passkey.name },
    validate: { name: (name) => (name.trim() === '' ? t('security.passkeys.nameHelp') : null) },
    send: ({ name }) => call('passkeys.rename', { passkeyId: passkey.id, body: { name: name.trim() } }),
    outdated: ['passkeys.list'],
    onSent: onDone,
  });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack>
        <TextInput
          label={t('security.passkeys.name')}
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.isSending}>
            {t('security.passkeys.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
