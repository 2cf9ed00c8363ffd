import { Button, Group, Stack } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../ui/PasswordField';
import { problemText } from '../../ui/problem-text';
import { passphraseStore } from './passphrase';

interface PassphraseFormProps {
  readonly wasWrong: boolean;
  /** Says what it is asked for. */
  readonly verb?: string;
  readonly onTyped?: (passphrase: string) => void;
}

/** Asks for the passphrase of the archive, and remembers it for a while. */
export function PassphraseForm({ wasWrong, verb, onTyped }: PassphraseFormProps): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === '') return;
    passphraseStore.remember(typed);
    onTyped?.(typed);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420} mt="md">
        <PasswordField
          label={t('archive.passphrase')}
          description={t('archive.passphraseHelp')}
          autoComplete="off"
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wasWrong && problemText({ code: 'passphrase-invalid', detail: null })}
        />
        <Group>
          <Button type="submit" disabled={typed === ''}>
            {verb ?? t('archive.unlock')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
