import { SimpleGrid } from '@mantine/core';

/** Parts of a page beside one another, each as high as what is in it. */
export const CardGrid = SimpleGrid.withProps({ style: { alignItems: 'start' } });

/** Fields beside one another; a label that takes a second line does not move the input of its neighbour. */
export const FieldGrid = SimpleGrid.withProps({ style: { alignItems: 'end' } });
