import { Group, Stack } from '@mantine/core';

const PLAIN = { component: 'ul', m: 0, p: 0, style: { listStyle: 'none' } } as const;

/** A list without bullets, whose items stand below one another; `component="ol"` where their order says something. */
export const PlainList = Stack.withProps(PLAIN);

/** A list without bullets, whose items stand side by side. */
export const PlainRow = Group.withProps(PLAIN);
