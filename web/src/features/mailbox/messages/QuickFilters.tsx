import { Button, Menu, ScrollArea } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { shownLabel } from '../../../shared/labels/label-name';
import { PlainRow } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { addTerm, hasTerm, quoteValue, removeTerm } from '../../../ui/query-terms';

/** Filters by their term in the language of the search. */
const FILTERS = {
  unread: 'is:unread',
  starred: 'is:starred',
  files: 'has:attachment',
  large: 'larger:5M',
  old: 'older_than:1y',
} as const;
const NAMES = ['unread', 'starred', 'files', 'large', 'old'] as const satisfies (keyof typeof FILTERS)[];

const CATEGORIES = ['promotions', 'social', 'updates', 'forums'] as const;

interface QuickFiltersProps {
  readonly accountId: string;
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** Filters that people use most. They write the language of the search, in which they can be changed further. */
export function QuickFilters({ accountId, query, onSearch }: QuickFiltersProps): ReactNode {
  const { t } = useTranslation();
  const toggle = (term: string): void =>
    onSearch(hasTerm(query, term) ? removeTerm(query, term) : addTerm(query, term));
  return (
    <PlainRow gap={6} aria-label={t('mailbox.filters.title')}>
      {NAMES.map((name) => {
        const isOn = hasTerm(query, FILTERS[name]);
        return (
          <li key={name}>
            <Button
              size="compact-xs"
              radius="xl"
              variant={isOn ? 'light' : 'default'}
              aria-pressed={isOn}
              leftSection={isOn && <IconCheck size={12} aria-hidden />}
              onClick={() => toggle(FILTERS[name])}
            >
              {t(`mailbox.filters.${name}`)}
            </Button>
          </li>
        );
      })}
      <li>
        <LabelFilter accountId={accountId} query={query} onToggle={toggle} />
      </li>
    </PlainRow>
  );
}

interface LabelFilterProps {
  readonly accountId: string;
  readonly query: string;
  readonly onToggle: (term: string) => void;
}

/** Labels and categories, which are loaded when the menu is opened. */
function LabelFilter({ accountId, query, onToggle }: LabelFilterProps): ReactNode {
  const { t } = useTranslation();
  const [isOpened, setOpened] = useState(false);
  const labels = useQuery({
    ...op('mailbox.listLabels', { accountId }),
    enabled: isOpened,
  });
  const item = (term: string, text: string): ReactNode => (
    <Menu.Item
      key={term}
      role="menuitemcheckbox"
      aria-checked={hasTerm(query, term)}
      leftSection={hasTerm(query, term) ? <IconCheck size={14} aria-hidden /> : <span />}
      onClick={() => onToggle(term)}
    >
      {text}
    </Menu.Item>
  );
  return (
    <Menu shadow="md" opened={isOpened} onChange={setOpened}>
      <Menu.Target>
        <Button
          size="compact-xs"
          radius="xl"
          variant="default"
          rightSection={<IconChevronDown size={12} aria-hidden />}
        >
          {t('mailbox.filters.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <QueryView query={labels}>
          {(all) => {
            const hasCategories = all.some(({ id }) => id.startsWith('CATEGORY_'));
            return (
              <ScrollArea.Autosize mah={320} type="auto">
                {hasCategories && <Menu.Label>{t('mailbox.filters.categories')}</Menu.Label>}
                {hasCategories &&
                  CATEGORIES.map((name) =>
                    item(`category:${name}`, shownLabel({ id: `CATEGORY_${name.toUpperCase()}`, name })),
                  )}
                <Menu.Label>{t('mailbox.filters.labels')}</Menu.Label>
                {all
                  .filter(({ type }) => type === 'user')
                  .map(({ name }) => item(`label:${quoteValue(name)}`, name))}
              </ScrollArea.Autosize>
            );
          }}
        </QueryView>
      </Menu.Dropdown>
    </Menu>
  );
}
