/** The classes of messages, in the order of the bar. Each message is in one of them. */
export const PARTS = ['verified', 'archived', 'pending', 'excluded', 'failed'] as const;
export type Part = (typeof PARTS)[number];
