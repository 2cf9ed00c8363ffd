import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, type MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { CoverageBar } from '../../../shared/coverage/CoverageBar';
import type { Part } from '../../../shared/coverage/parts';
import { PlainRow } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { proofOf, safetyOfArchive, safetyOfMailbox, troubleOf, type Safety as Figures } from './how-safe';

type Archiving = Schemas['ArchivingResponse'];

/** Safety of the mail in one sentence and one bar, and what is in the way. */
export function Safety({ account }: { readonly account: MailboxAccount }): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('home.safety.title')}>
      {hasNoMailbox(account) ? <OfArchive accountId={account.id} /> : <OfMailbox accountId={account.id} />}
    </Section>
  );
}

interface OfAccount {
  readonly accountId: string;
}

function OfMailbox({ accountId }: OfAccount): ReactNode {
  const archiving = useQuery(op('archiving.get', { accountId }));
  return (
    <QueryView query={archiving}>
      {(settings) =>
        settings.mode === 'off' ? (
          <OfArchive accountId={accountId} isOff />
        ) : (
          <OfKept accountId={accountId} archiving={settings} />
        )
      }
    </QueryView>
  );
}

/** @param isOff there is a mailbox, of which nothing is copied by itself */
function OfArchive({ accountId, isOff = false }: OfAccount & { readonly isOff?: boolean }): ReactNode {
  const { t } = useTranslation();
  const integrity = useQuery(op('archive.getIntegrity', { accountId }));
  return (
    <QueryView query={integrity}>
      {(read) => {
        const safety = safetyOfArchive(read);
        const { kept, proved, kind } = safety;
        return (
          <Stack gap="sm">
            <Sentence safety={safety} nothing={t(isOff ? 'home.safety.onlyThere' : 'home.safety.empty')} />
            {kind === 'copies' && <CoverageBar figures={{ verified: proved, archived: kept - proved }} />}
            <Damaged accountId={accountId} />
            {isOff && <SwitchOn accountId={accountId} text={t('home.safety.off')} />}
          </Stack>
        );
      }}
    </QueryView>
  );
}

function OfKept({ accountId, archiving }: OfAccount & { readonly archiving: Archiving }): ReactNode {
  const { t } = useTranslation();
  const coverage = useQuery(op('coverage.get', { accountId }));
  const trouble = troubleOf(archiving);
  const isWatched = archiving.mode === 'watch';
  return (
    <QueryView query={coverage}>
      {(figures) => (
        <Stack gap="sm">
          <Sentence safety={safetyOfMailbox(archiving, figures)} nothing={t('home.safety.emptyMailbox')} />
          {figures.total > 0 && <CoverageBar figures={figures} />}
          {trouble && (
            <Text size="sm" fw={600}>
              {t(`home.safety.troubles.${trouble}`)}
            </Text>
          )}
          <PlainRow gap="md">
            {(['pending', 'failed', 'excluded'] as const)
              .filter((part) => figures[part] > 0)
              .map((part) => (
                <li key={part}>
                  <PartLink accountId={accountId} part={part}>
                    {t(
                      part === 'pending' && isWatched
                        ? 'home.safety.parts.missing'
                        : `home.safety.parts.${part}`,
                      { count: figures[part] },
                    )}
                  </PartLink>
                </li>
              ))}
          </PlainRow>
          <Damaged accountId={accountId} />
          {isWatched && <SwitchOn accountId={accountId} text={t('home.safety.watched')} />}
        </Stack>
      )}
    </QueryView>
  );
}

function Sentence({ safety, nothing }: { readonly safety: Figures; readonly nothing: string }): ReactNode {
  const { t } = useTranslation();
  const { kind, kept, proved, wanted: count, days } = safety;
  const when = days === WEEK ? t('home.safety.thisWeek') : t('home.safety.lastDays', { count: days });
  const texts = {
    nothing: () => nothing,
    reading: () => t('home.safety.reading'),
    filling: () => t('home.safety.filling', { kept, count }),
    copies: () => t(`home.safety.copies.${proofOf(safety)}`, { count, proved, when }),
    kept: () => t(`home.safety.kept.${proofOf(safety)}`, { kept, count, proved, when }),
  };
  return (
    <Text size="lg" fw={600}>
      {texts[kind]()}
    </Text>
  );
}

const WEEK = 7;

/** Leads to the messages that it counts. */
function PartLink({
  accountId,
  part,
  children,
}: OfAccount & { readonly part: Part; readonly children: ReactNode }): ReactNode {
  return (
    <Anchor
      size="sm"
      renderRoot={(root) => (
        <Link to="/a/$accountId/keep" params={{ accountId }} search={{ part }} {...root} />
      )}
    >
      {children}
    </Anchor>
  );
}

/** Copies that failed their check; nothing while there are none. */
function Damaged({ accountId }: OfAccount): ReactNode {
  const { t } = useTranslation();
  const count = useQuery(op('archive.getIntegrity', { accountId })).data?.damagedCount ?? 0;
  if (count === 0) return null;
  return (
    <Anchor
      size="sm"
      c="red"
      fw={600}
      renderRoot={(root) => <Link to="/a/$accountId/keep" params={{ accountId }} {...root} />}
    >
      {t('home.safety.damaged', { count })}
    </Anchor>
  );
}

function SwitchOn({ accountId, text }: OfAccount & { readonly text: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="sm">
      <Text size="sm">{text}</Text>
      <Button
        size="xs"
        renderRoot={(root) => <Link to="/a/$accountId/keep" params={{ accountId }} {...root} />}
      >
        {t('shell.pages.keep')}
      </Button>
    </Group>
  );
}
