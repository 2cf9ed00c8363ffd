import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';

type Policy = Schemas['RetentionPolicyResponse'];

/** A policy, what it would delete now, and its switch. */
export function PolicyItem({ policy }: { readonly policy: Policy }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mailboxAccounts } = useMe();
  const [asked, setAsked] = useState<'on' | 'delete' | 'preview' | null>(null);
  const update = useOperation('retention.update');
  const remove = useOperation('retention.delete');
  const { id: policyId, name, label, is_active: isActive, last_run_at: ranAt } = policy;
  const done = {
    onSuccess: () => {
      setAsked(null);
      void invalidate(client, ['retention.list']);
    },
  };
  const mailbox =
    mailboxAccounts.find(({ id }) => id === policy.mailbox_account_id)?.email ?? t('retention.allMailboxes');
  const close = (): void => setAsked(null);
  return (
    <Card withBorder component="li">
      <Stack gap="xs">
        <div>
          <Text fw={600}>{name}</Text>
          <Text size="sm">
            {t('retention.sentence', {
              count: policy.max_age_days,
              mailbox,
              label: label ?? t('retention.anyLabel'),
            })}
          </Text>
          <Text size="xs" c="dimmed">
            {[
              isActive ? t('retention.on') : t('retention.off'),
              ...(policy.include_offloaded ? [t('retention.offloaded')] : []),
              ranAt === null
                ? t('retention.neverRan')
                : t('retention.ran', { time: formatShortDate(ranAt), count: policy.deleted_count }),
            ].join(' · ')}
          </Text>
        </div>
        {update.error && asked === null && <ProblemView error={update.error} />}
        {asked === 'preview' && <Preview policyId={policyId} />}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-expanded={asked === 'preview'}
            onClick={() => setAsked(asked === 'preview' ? null : 'preview')}
          >
            {t('retention.preview')}
          </Button>
          {isActive ? (
            <Button
              size="xs"
              variant="default"
              loading={update.isPending}
              onClick={() => update.mutate({ policyId, body: { isActive: false } }, done)}
            >
              {t('retention.switchOff')}
            </Button>
          ) : (
            <Button size="xs" onClick={() => setAsked('on')}>
              {t('retention.switchOn')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setAsked('delete')}>
            {t('retention.delete')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={asked === 'on'}
        title={t('retention.onTitle', { name })}
        text={t('retention.onText')}
        details={<Preview policyId={policyId} />}
        verb={t('retention.switchOn')}
        destroys
        busy={update.isPending}
        error={update.error}
        onConfirm={() => update.mutate({ policyId, body: { isActive: true } }, done)}
        onClose={close}
      />
      <Confirm
        opened={asked === 'delete'}
        title={t('retention.deleteTitle', { name })}
        text={t('retention.deleteText')}
        verb={t('retention.delete')}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ policyId }, done)}
        onClose={close}
      />
    </Card>
  );
}

/** Mails that the policy would delete at the moment, and those it cannot check. */
function Preview({ policyId }: { readonly policyId: string }): ReactNode {
  const { t } = useTranslation();
  const preview = useQuery({ ...op('retention.preview', { policyId }), staleTime: 0 });
  return (
    <QueryView query={preview}>
      {({ count, bytes, oldest, newest, warnings }) => (
        <Stack gap="xs" role="status">
          <Text size="sm">
            {t('retention.would', { count, size: formatBytes(bytes) })}
            {oldest !== null &&
              newest !== null &&
              ` ${t('retention.dates', { oldest: formatShortDate(oldest), newest: formatShortDate(newest) })}`}
          </Text>
          {warnings.length > 0 && (
            <Alert color="yellow" title={t('retention.warnings')}>
              {warnings.map(({ accountId, code, message }) => (
                <Text key={`${accountId} ${code}`} size="sm">
                  {message}
                </Text>
              ))}
            </Alert>
          )}
        </Stack>
      )}
    </QueryView>
  );
}
