import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemView } from './ProblemView';

/** Three buttons fit side by side. */
const WIDTH_PX = 580;

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly text: string;
  /** Further parts of the question, such as exceptions. */
  readonly details?: ReactNode;
  /** Says what will happen, with its number: never "OK". */
  readonly verb: string;
  /** Whether it destroys something. */
  readonly destroys?: boolean;
  /** Text that has to be typed before the button works: the number of items that cannot be restored. */
  readonly typed?: { readonly value: string; readonly label: string };
  readonly busy?: boolean;
  /** False while something has to happen before it can be confirmed. */
  readonly ready?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** A safer way out beside the button. */
  readonly children?: ReactNode;
}

/** Asks once more before something that is not easily undone. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { opened, title, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={WIDTH_PX}>
      {/* What was typed belongs to one question. */}
      {opened && <Question {...props} />}
    </Modal>
  );
}

function Question({
  text,
  details,
  verb,
  destroys = false,
  typed,
  busy = false,
  ready = true,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmProps): ReactNode {
  const { t } = useTranslation();
  const [value, setValue] = useState('');
  const allowed = ready && (typed === undefined || value.trim() === typed.value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (allowed && !busy) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{text}</Text>
        {details}
        {typed && (
          <TextInput
            label={typed.label}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            inputMode="numeric"
            autoComplete="off"
            data-autofocus
          />
        )}
        {error !== undefined && error !== null && <ProblemView error={error} />}
        <Group justify="flex-end">
          {children}
          <Button variant="default" onClick={onClose} data-autofocus={typed ? undefined : true}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color={destroys ? 'red' : undefined} disabled={!allowed} loading={busy}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
