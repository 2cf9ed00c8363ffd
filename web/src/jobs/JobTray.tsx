import { ActionIcon, Box, Indicator, Popover, Stack, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../ui/QueryView';
import { isOpen, useJobs } from './job-cache';
import { JobItem } from './JobItem';
import { TrayUploads } from './uploads/TrayUploads';
import { useUploads } from './uploads/use-uploads';

const SHOWN = 20;

/** The jobs: how many are running, and, when it is opened, how they are getting on. */
export function JobTray(): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const listId = useId();
  const jobs = useJobs();
  const running = jobs.data?.filter(isOpen).length ?? 0;
  const uploading = useUploads().filter(({ status }) => status !== 'refused').length;
  const label = [
    running === 0 ? t('jobs.openNone') : t('jobs.open', { count: running }),
    ...(uploading > 0 ? [t('transfer.tray', { count: uploading })] : []),
  ].join(', ');
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={380} shadow="md" trapFocus>
      <Indicator label={running + uploading} size={16} disabled={running + uploading === 0} processing>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={label}
            title={label}
            onClick={() => setOpened(!opened)}
          >
            <IconStack2 size={18} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      {/* Not named by the button, which says how many are running. */}
      <Popover.Dropdown aria-labelledby={listId}>
        {/* One region that scrolls, also by keys where nothing in it takes the focus. */}
        <Box
          id={listId}
          mah="70vh"
          tabIndex={0}
          role="group"
          aria-label={t('jobs.title')}
          style={{ overflowY: 'auto' }}
        >
          <TrayUploads />
          <QueryView
            query={jobs}
            empty={{ when: (list) => list.length === 0, show: <Text size="sm">{t('jobs.empty')}</Text> }}
          >
            {(list) => (
              <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
                {list.slice(0, SHOWN).map((job) => (
                  <JobItem key={job.id} job={job} />
                ))}
              </Stack>
            )}
          </QueryView>
        </Box>
      </Popover.Dropdown>
    </Popover>
  );
}
