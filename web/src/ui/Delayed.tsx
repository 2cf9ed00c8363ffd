import { useEffect, useState, type ReactNode } from 'react';

/** Loading time up to which no sign of loading is shown. */
const DELAY_MS = 150;

/** Shows its children after a moment: what flashes up disturbs more than it says. */
export function Delayed({ children }: { readonly children: ReactNode }): ReactNode {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return due ? children : null;
}
