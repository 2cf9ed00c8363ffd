import type { ReactNode } from 'react';
import { hueOf, initialsOf } from './initials';
import classes from './sender-avatar.module.css';

interface SenderAvatarProps {
  /** A From header. */
  readonly from: string;
}

/** The initials of a sender. No request is made for them, and screen readers have the name beside them. */
export function SenderAvatar({ from }: SenderAvatarProps): ReactNode {
  const hue = hueOf(from);
  return (
    <span
      aria-hidden
      className={classes.avatar}
      style={{
        background: `var(--mailroom-avatar-${hue})`,
        color: `var(--mailroom-avatar-text-${hue})`,
      }}
    >
      {initialsOf(from)}
    </span>
  );
}
