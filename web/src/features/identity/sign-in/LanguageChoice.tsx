import { Group, NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, setLanguage, useLanguage, type Language } from '../../../i18n';
import { ProblemView } from '../../../ui/ProblemView';

const ICON_PX = 16;

/** The language of the page, for people who are not signed in yet. Each language is called by its own name. */
export function LanguageChoice(): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const choose = useMutation({ mutationFn: setLanguage });
  return (
    <>
      <Group justify="flex-end">
        <NativeSelect
          size="xs"
          aria-label={t('common.language')}
          leftSection={<IconLanguage size={ICON_PX} aria-hidden />}
          data={LANGUAGES.map((value) => ({ value, label: t(`common.languages.${value}`) }))}
          value={language}
          onChange={({ currentTarget }) => choose.mutate(currentTarget.value as Language)}
        />
      </Group>
      {choose.error && <ProblemView error={choose.error} />}
    </>
  );
}
