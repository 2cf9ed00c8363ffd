import { Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Wrapping } from '../../../ui/Wrapping';
import type { OfMail } from './of-mail';

/** Addresses of each kind that are shown; the rest is counted. */
const SHOWN = 20;

type Envelope = NonNullable<OfMail['mail']['envelope']>;

/** Sender and recipients of a copied mail, beyond its header. */
export function EnvelopeNote({ envelope }: { readonly envelope: Envelope | null }): ReactNode {
  const { t } = useTranslation();
  if (!envelope) return null;
  const parts = [
    ...(envelope.sender === null ? [] : [t('archive.envelope.sender', { addresses: envelope.sender })]),
    ...(['to', 'cc', 'bcc', 'recipients'] as const).flatMap((kind) =>
      envelope[kind].length === 0
        ? []
        : [t(`archive.envelope.${kind}`, { addresses: shown(envelope[kind], t) })],
    ),
  ];
  return (
    <>
      {parts.length > 0 && (
        <Wrapping size="sm" c="dimmed" mb="xs">
          {t('archive.envelope.line', { parts: parts.join(' · ') })}
        </Wrapping>
      )}
      {envelope.kind === 'unreadable-report' && (
        <Text size="sm" c="dimmed" mb="xs" role="note">
          {t('archive.envelope.unreadable')}
        </Text>
      )}
    </>
  );
}

function shown(addresses: readonly string[], t: TFunction): string {
  const rest = addresses.length - SHOWN;
  const first = addresses.slice(0, SHOWN).join(', ');
  return rest > 0 ? t('archive.envelope.more', { addresses: first, count: rest }) : first;
}
