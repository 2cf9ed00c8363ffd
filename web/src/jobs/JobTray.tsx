import { ActionIcon, Box, Indicator, Popover } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../ui/Loading';
import { pageComponent } from '../ui/page-component';
import { isOpen, useJobs } from './job-cache';
import { useUploads } from './uploads/use-uploads';

/** Loaded when the tray is opened, or ahead of that. */
export const TrayContents = pageComponent(
  () => import('./TrayContents'),
  'TrayContents',
  'jobFailures',
  'transfer',
);

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
    ...(uploading > 0 ? [t('jobs.uploads', { count: uploading })] : []),
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
          <Suspense fallback={<Loading />}>
            <TrayContents onLeave={() => setOpened(false)} />
          </Suspense>
        </Box>
      </Popover.Dropdown>
    </Popover>
  );
}
