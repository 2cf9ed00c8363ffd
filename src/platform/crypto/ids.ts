import { v7 } from 'uuid';

/** A UUID version 7 (RFC 9562): time-ordered, so that primary keys stay dense. */
export const newId = (): string => v7();
