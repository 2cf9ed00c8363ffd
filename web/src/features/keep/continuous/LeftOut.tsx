import { Checkbox, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchivingFields } from './archiving-values';

/** Places of the mailbox whose messages are not copied. */
export function LeftOut({ form }: { readonly form: ArchivingFields }): ReactNode {
  const { t } = useTranslation();
  return (
    <fieldset>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {t('keep.exclusions')}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {t('keep.exclusionsText')}
      </Text>
      <Group>
        {(['spam', 'trash', 'drafts'] as const).map((place) => (
          <Checkbox
            key={place}
            label={t(`keep.${place}`)}
            {...form.getInputProps(place, { type: 'checkbox' })}
          />
        ))}
      </Group>
    </fieldset>
  );
}
