import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryView } from '../ui/QueryView';
import { useJobs } from './job-cache';
import { JobItem } from './JobItem';
import { TrayUploads } from './uploads/TrayUploads';
import { PlainList } from '../ui/PlainList';

const SHOWN = 20;

/** Contents of the open tray: uploads, and the newest jobs. */
export function TrayContents({ onLeave }: { readonly onLeave: () => void }): ReactNode {
  const { t } = useTranslation();
  const jobs = useJobs();
  return (
    <>
      <TrayUploads />
      <QueryView
        query={jobs}
        empty={{ when: (list) => list.length === 0, show: <Text size="sm">{t('jobs.empty')}</Text> }}
      >
        {(list) => (
          <>
            <PlainList gap="md">
              {list.slice(0, SHOWN).map((job) => (
                <JobItem key={job.id} job={job} />
              ))}
            </PlainList>
            <Anchor
              size="sm"
              mt="md"
              display="block"
              renderRoot={(root) => <Link to="/jobs" {...root} onClick={onLeave} />}
            >
              {t('jobs.all')}
            </Anchor>
          </>
        )}
      </QueryView>
    </>
  );
}
