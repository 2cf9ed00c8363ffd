import { createContext, type ComponentType } from 'react';

/** Components that help with a problem of a mailbox, beside another try, by the code of the problem. */
export type WaysOut = Readonly<Partial<Record<string, ComponentType<{ readonly accountId: string }>>>>;

/** The frame of the page says which there are; parts without a feature do not know them. */
export const WaysOutContext = createContext<WaysOut>({});
