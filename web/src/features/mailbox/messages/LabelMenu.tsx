import { Button, type ButtonProps, Menu, ScrollArea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';
import { ManageLabels } from './ManageLabels';

interface LabelMenuProps {
  readonly accountId: string;
  readonly size: ButtonProps['size'];
  readonly disabled: boolean;
  readonly onChosen: (action: (typeof ACTIONS)[number], labelId: string) => void;
}

const ACTIONS = ['label', 'move', 'unlabel'] as const;

/** Adds a label of the mailbox, moves messages out of the inbox to it, or takes it off. */
export function LabelMenu({ accountId, size, disabled, onChosen }: LabelMenuProps): ReactNode {
  const { t } = useTranslation();
  const [isManaging, setIsManaging] = useState(false);
  const labels = useQuery({
    ...op('mailbox.listLabels', { accountId }),
    select: (all) => all.filter(({ type }) => type === 'user'),
  });
  return (
    <>
      <Menu shadow="md" disabled={disabled}>
        <Menu.Target>
          <Button
            size={size}
            variant="default"
            disabled={disabled}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('mailbox.actions.label')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <QueryView
            query={labels}
            empty={{
              when: (all) => all.length === 0,
              show: <EmptyState text={t('mailbox.noLabels')} />,
            }}
          >
            {(all) => (
              <ScrollArea.Autosize mah={320} type="auto">
                {ACTIONS.map((action) => (
                  <div key={action}>
                    <Menu.Label>{t(`mailbox.labelMenu.${action}`)}</Menu.Label>
                    {all.map(({ id, name }) => (
                      <Menu.Item
                        key={id}
                        aria-label={t(`mailbox.labelMenu.${action}Item`, { name })}
                        onClick={() => onChosen(action, id)}
                      >
                        {name}
                      </Menu.Item>
                    ))}
                  </div>
                ))}
              </ScrollArea.Autosize>
            )}
          </QueryView>
          <Menu.Divider />
          <Menu.Item onClick={() => setIsManaging(true)}>{t('mailbox.labels.manage')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ManageLabels
        accountId={accountId}
        labels={labels.data ?? []}
        opened={isManaging}
        onClose={() => setIsManaging(false)}
      />
    </>
  );
}
