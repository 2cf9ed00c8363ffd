import { Badge } from '@mantine/core';

/** The state of a job or an upload, beside its name: the name gives way where there is little room. */
export const StatusBadge = Badge.withProps({
  variant: 'dot',
  size: 'sm',
  tt: 'none',
  style: { flexShrink: 0 },
});
