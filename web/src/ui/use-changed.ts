import { useEffect, useRef } from 'react';
import { useSteady } from './use-steady';

/** Tells of a value whenever it is another one; not of the first. */
export function useChanged<Value>(value: Value, onChange: (value: Value) => void): void {
  const known = useRef(value);
  const tell = useSteady(onChange);
  useEffect(() => {
    if (known.current === value) return;
    known.current = value;
    tell(value);
  }, [value, tell]);
}
