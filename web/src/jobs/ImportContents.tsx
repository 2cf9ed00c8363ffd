import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatsOf, leftOutOf } from './import-contents';
import type { Job } from './job-cache';

/** Kinds of files as their programs call them, in every language. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  mbox: 'mbox',
  eml: 'EML',
  emlx: 'Apple Mail (.emlx)',
  msg: 'Outlook (.msg)',
  pst: 'Outlook (PST, OST)',
};

/** Formats that an import found its messages in, and the names of what it left out. */
export function ImportContents({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const formats = formatsOf(job);
  const leftOut = leftOutOf(job);
  return (
    <>
      {formats.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('jobs.formats', {
            formats: formats
              .map(({ name, count }) => t('jobs.format', { name: FORMAT_NAMES[name] ?? name, count }))
              .join(', '),
          })}
        </Text>
      )}
      {leftOut.length > 0 && (
        <details>
          <Text component="summary" size="xs">
            {t('jobs.leftOutNames')}
          </Text>
          {leftOut.map(({ reason, count, names }) => (
            <Box key={reason}>
              <Text size="xs" mt={4}>
                {t(`jobs.outcomes.${reason}`, { count })}
              </Text>
              <Box component="ul" m={0} ps="1.2em">
                {names.map((name, place) => (
                  <Text
                    key={`${place} ${name}`}
                    component="li"
                    size="xs"
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {name}
                  </Text>
                ))}
                {count > names.length && (
                  <Text component="li" size="xs">
                    {t('jobs.moreDamaged', { count: count - names.length })}
                  </Text>
                )}
              </Box>
            </Box>
          ))}
        </details>
      )}
    </>
  );
}
