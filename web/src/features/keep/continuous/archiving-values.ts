import type { ServiceForm } from '../../../ui/use-service-form';
import type { Archiving } from './ArchivingHealth';
import { exclusionsOf, fieldsOf } from './exclusions';

/** Values of the form for the settings of continuous archiving. */
export const valuesOf = ({ mode, paused, exclusions, followLabels, notifyAfterHours }: Archiving) => ({
  mode,
  paused,
  followLabels,
  notifyAfterHours: notifyAfterHours ?? ('' as number | string),
  ...fieldsOf(exclusions),
});

export type ArchivingValues = ReturnType<typeof valuesOf>;
export type ArchivingFields = ServiceForm<ArchivingValues>;

/** Request body for the form. */
export const bodyOf = ({ mode, paused, followLabels, notifyAfterHours, ...exclusions }: ArchivingValues) => ({
  mode,
  paused,
  followLabels,
  notifyAfterHours: typeof notifyAfterHours === 'number' ? notifyAfterHours : null,
  exclusions: exclusionsOf(exclusions),
});
