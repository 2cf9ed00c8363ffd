import { Text } from '@mantine/core';

/** A size or a time: its words stay together. */
export const OneLine = Text.withProps({ style: { whiteSpace: 'nowrap' } });
