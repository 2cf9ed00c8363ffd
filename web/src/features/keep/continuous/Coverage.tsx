import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes, formatNumber, formatShortDate } from '../../../i18n/format';
import { CoverageBar } from '../../../shared/coverage/CoverageBar';
import classes from '../../../shared/coverage/coverage.module.css';
import { PARTS, type Part } from '../../../shared/coverage/parts';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { CoveredMessages } from './CoveredMessages';
import keepClasses from '../keep.module.css';
import { usePartName } from './parts';

type Figures = Schemas['CoverageResponse'];

interface CoverageProps {
  readonly accountId: string;
  /** Nothing is copied: no message waits for that. */
  readonly isWatched: boolean;
}

/** States of the messages of the mailbox, as one bar whose parts add up. */
export function Coverage({ accountId, isWatched }: CoverageProps): ReactNode {
  const { t } = useTranslation();
  const { part } = useSearch({ from: '/signed-in/a/$accountId/keep' });
  const navigate = useNavigate({ from: '/a/$accountId/keep' });
  const coverage = useQuery(op('coverage.get', { accountId }));
  const show = (shown: Part | undefined): void =>
    void navigate({ search: (before) => ({ ...before, part: shown }), replace: true, resetScroll: false });
  return (
    <Section title={t('keep.coverage')}>
      <QueryView
        query={coverage}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('keep.nothingKnown')} /> }}
      >
        {(figures) => (
          <Stack>
            <CoverageBar figures={figures} />
            <Parts figures={figures} isWatched={isWatched} shown={part} onShow={show} />
            <Footnotes accountId={accountId} figures={figures} />
            {part && (
              <CoveredMessages
                accountId={accountId}
                part={part}
                isWatched={isWatched}
                onClose={() => show(undefined)}
              />
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

interface PartsProps {
  readonly figures: Figures;
  readonly isWatched: boolean;
  readonly shown: Part | undefined;
  readonly onShow: (part: Part | undefined) => void;
}

function Parts({ figures, isWatched, shown, onShow }: PartsProps): ReactNode {
  const { t } = useTranslation();
  const name = usePartName(isWatched);
  return (
    <Table aria-label={t('keep.coverage')} verticalSpacing={4}>
      <Table.Tbody>
        {PARTS.map((part) => (
          <Table.Tr key={part}>
            <Table.Th scope="row" fw={400}>
              <Group gap="xs" wrap="nowrap" align="start">
                <span className={`${keepClasses.key} ${classes[part]}`} aria-hidden />
                <div>
                  <Text size="sm">{name(part)}</Text>
                  <Text size="xs" c="dimmed">
                    {isWatched && part === 'pending'
                      ? t('keep.watched.partText')
                      : t(`keep.partTexts.${part}`)}
                  </Text>
                </div>
              </Group>
            </Table.Th>
            <Table.Td ta="end">{formatNumber(figures[part])}</Table.Td>
            <Table.Td ta="end" w={90}>
              {figures[part] > 0 && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t(shown === part ? 'keep.hidePart' : 'keep.showPart', {
                    part: name(part),
                  })}
                  onClick={() => onShow(shown === part ? undefined : part)}
                >
                  {shown === part ? t('keep.hide') : t('keep.show')}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row">{t('keep.total')}</Table.Th>
          <Table.Td ta="end" fw={600}>
            {formatNumber(figures.total)}
          </Table.Td>
          <Table.Td />
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

function Footnotes({
  accountId,
  figures,
}: {
  readonly accountId: string;
  readonly figures: Figures;
}): ReactNode {
  const { t } = useTranslation();
  const { asOf, exact, provider, onlyInArchive } = figures;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {asOf.at !== null && t('keep.asOf', { time: formatShortDate(asOf.at) })}{' '}
        {exact ? t('keep.exact') : t('keep.notExact')}{' '}
        {provider.agreed === true && provider.total !== null && t('keep.agrees', { count: provider.total })}
        {provider.agreed === false && provider.total !== null && t('keep.differs', { count: provider.total })}
      </Text>
      {onlyInArchive.count > 0 && (
        <Text size="sm">
          {t('keep.onlyInArchive', { count: onlyInArchive.count, size: formatBytes(onlyInArchive.bytes) })}{' '}
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(root) => (
              <Link to="/a/$accountId/archive" params={{ accountId }} search={{ only: true }} {...root} />
            )}
          >
            {t('keep.openArchive')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
