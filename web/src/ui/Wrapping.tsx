import { Anchor, Text } from '@mantine/core';

const WRAPPING = { style: { overflowWrap: 'anywhere' } } as const;

/** Text that people or other programs wrote: a long word breaks where it would stick out of the page. */
export const Wrapping = Text.withProps(WRAPPING);

/** The same for a link. */
export const WrappingLink = Anchor.withProps(WRAPPING);
