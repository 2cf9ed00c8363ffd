import { Anchor, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Examples with words, which each language has for itself. */
const WITH_WORDS = ['words', 'phrase', 'begin', 'without', 'either', 'from', 'subject', 'file'] as const;
/** Examples that are the same in all languages. */
const OF_TERMS = [
  ['files', 'has:attachment larger:5M'],
  ['unread', 'is:unread'],
  ['dates', 'after:2024-01-01 before:2024-07-01'],
  ['age', 'newer_than:2y'],
] as const;

interface SearchHelpProps {
  readonly onSearch: (q: string) => void;
}

/** The language of searches by examples, each of which can be tried. */
export function SearchHelp({ onSearch }: SearchHelpProps): ReactNode {
  const { t } = useTranslation();
  const examples = [
    ...WITH_WORDS.map((name) => ({
      query: t(`search.examples.${name}.query`),
      meaning: t(`search.examples.${name}.meaning`),
    })),
    ...OF_TERMS.map(([name, query]) => ({ query, meaning: t(`search.meanings.${name}`) })),
  ];
  return (
    <Stack gap="sm">
      <Table aria-label={t('search.help')} verticalSpacing={6} horizontalSpacing="xs">
        <Table.Tbody>
          {examples.map(({ query, meaning }) => (
            <Table.Tr key={query}>
              <Table.Td style={{ overflowWrap: 'anywhere' }} w="45%">
                <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onSearch(query)}>
                  {query}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{meaning}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        {t('search.helpMore')}
      </Text>
    </Stack>
  );
}
